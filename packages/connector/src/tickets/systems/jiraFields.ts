/**
 * Checks whether a project of Jira accepts the fields of new issues: its issue type, the fields that the type requires, and the
 * assignee. Cloud: "Get create issue metadata issue types for a project", "Get create field metadata", "Find users assignable to
 * issues". Data Center has the same paths since 8.4, whose lists are named `values`.
 */
import Type, { type Static, type TSchema } from 'typebox';
import type { HttpAnswer } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { ReadError } from '../answers.ts';
import { plainLine } from '../blocks.ts';
import { PageLimit } from '../pages.ts';

const IssueType = Type.Object({ id: Type.String(), name: Type.String() });
const Field = Type.Object({
  fieldId: Type.String(),
  name: Type.String(),
  required: Type.Boolean(),
  hasDefaultValue: Type.Optional(Type.Boolean()),
});
const pageOf = <Entry extends TSchema>(entry: Entry) =>
  Type.Object({
    total: Type.Optional(Type.Integer()),
    issueTypes: Type.Optional(Type.Array(entry)),
    fields: Type.Optional(Type.Array(entry)),
    values: Type.Optional(Type.Array(entry)),
  });
interface Page<Entry> {
  readonly total?: number;
  readonly issueTypes?: Entry[];
  readonly fields?: Entry[];
  readonly values?: Entry[];
}
const Users = Type.Array(
  Type.Object({ accountId: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }),
);

/** Fields of every ticket. */
const OWN = ['summary', 'description', 'labels'];
/** Fields that the connector sets, whether or not the screen shows them. */
const GIVEN = ['project', 'issuetype', ...OWN];
const PAGE = 50;
/** Maximum number of names in an error. */
const MAX_NAMES = 20;

export type JiraRead = (path: string) => Promise<HttpAnswer>;

/** @throws Error with an explanation */
export async function checkJiraFields(settings: SettingsOf<'jira'>, read: JiraRead): Promise<void> {
  const { project, issueType = 'Task', fields: further = {} } = settings;
  const path = `/issue/createmeta/${project}/issuetypes`;
  const types = await listed(read, path, 'issue types', IssueType);
  const type = types.find(({ name }) => name === issueType);
  if (type === undefined)
    throw new Error(`the project ${project} has no issue type ${issueType}: it has ${namesOf(types)}`);
  const fields = await listed(read, `${path}/${encodeURIComponent(type.id)}`, 'fields', Field);
  const shown = new Set(fields.map(({ fieldId }) => fieldId));
  const hidden = [...OWN, ...Object.keys(further)].filter((id) => !shown.has(id));
  if (hidden.length > 0)
    throw new Error(`the screen that creates a ${issueType} in ${project} lacks ${hidden.join(', ')}`);
  const given = new Set([...GIVEN, ...Object.keys(further)]);
  const lacking = fields.filter(
    ({ fieldId, required, hasDefaultValue }) => required && hasDefaultValue !== true && !given.has(fieldId),
  );
  if (lacking.length > 0)
    throw new Error(`a ${issueType} in ${project} requires ${namesOf(lacking)}: set them in fields`);
  if (further.assignee) await checkAssignee(settings, Object(further.assignee), read);
}

async function listed<Entry extends TSchema>(
  read: JiraRead,
  path: string,
  what: string,
  entry: Entry,
): Promise<Static<Entry>[]> {
  const schema = pageOf(entry);
  const limit = new PageLimit(what, { isOver: () => false });
  const all: Static<Entry>[] = [];
  for (;;) {
    const query = `startAt=${all.length}&maxResults=${PAGE}`;
    limit.next(query);
    const answer = await read(`${path}?${query}`);
    const page = answer.status === 200 ? parsedAs(schema, answer.text) : undefined;
    if (page === undefined) throw new ReadError(`the ${what} cannot be read`, answer);
    const { total, issueTypes, fields, values } = page as Page<Static<Entry>>;
    const found = issueTypes ?? fields ?? values ?? [];
    all.push(...found);
    if (found.length === 0 || (total === undefined ? found.length < PAGE : all.length >= total)) return all;
  }
}

/** Jira Cloud identifies accounts by id, Jira Server by name. */
async function checkAssignee(
  { project, email }: SettingsOf<'jira'>,
  { accountId, id = accountId, name }: Record<string, unknown>,
  read: JiraRead,
): Promise<void> {
  const isCloud = email !== undefined;
  const wanted = isCloud ? id : name;
  if (typeof wanted !== 'string')
    throw new Error(
      `fields.assignee needs ${isCloud ? 'the id of an account (id)' : 'a name of a user (name)'}`,
    );
  const query = `project=${project}&${isCloud ? 'accountId' : 'username'}=${encodeURIComponent(wanted)}`;
  const answer = await read(`/user/assignable/search?${query}`);
  const users = answer.status === 200 ? parsedAs(Users, answer.text) : undefined;
  if (users === undefined) throw new ReadError('the assignable users cannot be read', answer);
  if (!users.some((user) => (isCloud ? user.accountId : user.name) === wanted))
    throw new Error(`no issue of ${project} can be assigned to ${wanted}`);
}

export const namesOf = (all: readonly { readonly name: string }[]): string =>
  all
    .slice(0, MAX_NAMES)
    .map(({ name }) => plainLine(name, 100))
    .join(', ');
