/**
 * Checks that the issue type of the settings has the statuses that they name. Cloud and Data Center: "Get all statuses for project". Old servers
 * leave out the categories.
 */
import Type, { type Static } from 'typebox';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { ReadError } from '../answers.ts';
import { type JiraRead, namesOf } from './jiraFields.ts';

const Status = Type.Object({
  name: Type.String(),
  statusCategory: Type.Optional(Type.Object({ key: Type.String() })),
});
const IssueTypes = Type.Array(Type.Object({ name: Type.String(), statuses: Type.Array(Status) }));

/** The category of closed issues. */
const DONE = 'done';

/** @throws Error in words */
export async function checkJiraStatuses(settings: SettingsOf<'jira'>, read: JiraRead): Promise<void> {
  const { project, issueType = 'Task', closedStatus, openStatus } = settings;
  if (closedStatus === undefined && openStatus === undefined) return;
  const answer = await read(`/project/${project}/statuses`);
  const types = answer.status === 200 ? parsedAs(IssueTypes, answer.text) : undefined;
  if (types === undefined) throw new ReadError('the statuses cannot be read', answer);
  const statuses = types.find(({ name }) => name === issueType)?.statuses ?? [];
  for (const [name, isClosed] of [
    [closedStatus, true],
    [openStatus, false],
  ] as const) {
    const fitting = statuses.filter((status) => canBe(status, isClosed));
    if (name !== undefined && !fitting.some((status) => status.name === name))
      throw new Error(
        `no ${isClosed ? 'closed' : 'open'} status is named ${name}: a ${issueType} in ${project} has ${namesOf(fitting)}`,
      );
  }
}

const canBe = ({ statusCategory }: Static<typeof Status>, isClosed: boolean): boolean =>
  statusCategory === undefined || (statusCategory.key === DONE) === isClosed;
