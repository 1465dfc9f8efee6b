/** Hub, which keeps source code and runs workflows: its ids are case-sensitive, and one workflow has a Tier Zero credential. */
import { createHash } from 'node:crypto';
import { applicationName } from '../names.ts';
import { blockId } from '../plan.ts';
import { below, randomStream } from '../random.ts';
import { gateUserName } from './gate.ts';
import { finding, nodeKind, relation, repair, step } from './members.ts';
import type { PayloadEdge, PayloadNode, Platform, PlatformPlan } from './platform.ts';
import { accountOf, personOfDeveloper } from './platform.ts';

type Letter = 'O' | 'U' | 'T' | 'R' | 'W' | 'S' | 'N';

/** A letter for the kind, and twelve base64 digits. */
const idOf = ({ seed }: PlatformPlan, letter: Letter, index: number): string =>
  `${letter}_kgDO${createHash('sha256').update(`${seed}/hub/${letter}/${index}`).digest('base64url').slice(0, 12)}`;

const swapCase = (text: string): string =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('');

/** The id of the second repository differs from the first only in case: such ids exist, and identify two objects. */
export function repositoryId(plan: PlatformPlan, index: number): string {
  const id = idOf(plan, 'R', index === 1 ? 0 : index);
  return index === 1 ? `${id.slice(0, 6)}${swapCase(id.slice(6))}` : id;
}

/** The account with which the ticket system pushes. */
export const BOT = 'aurora-deploy-bot';
const botId = (plan: PlatformPlan): string => idOf(plan, 'U', plan.developers);
const userId = (plan: PlatformPlan, developer: number): string => idOf(plan, 'U', developer);
const organizationId = (plan: PlatformPlan): string => idOf(plan, 'O', 0);

const REPOSITORY_NAMES = ['domain-controllers', 'domain-controllers-archive'];
const repositoryName = (index: number): string =>
  REPOSITORY_NAMES[index] ?? applicationName(index).toLowerCase().replaceAll(' ', '-');

/** One repository in this number has a credential of a service account. */
const REPOSITORIES_PER_SECRET = 6;
const hasSecret = (index: number): boolean => index === 0 || index % REPOSITORIES_PER_SECRET === 5;

function* nodes(plan: PlatformPlan): Generator<PayloadNode> {
  const environmentid = organizationId(plan);
  const node = (
    id: string,
    kind: string,
    name: string,
    more: PayloadNode['properties'] = {},
  ): PayloadNode => ({
    ...{ id, kinds: [kind] },
    properties: { name, environmentid, ...more },
  });
  yield node(environmentid, 'Hub_Organization', 'aurora hub', { collected: true });
  for (let developer = 0; developer < plan.developers; developer++)
    yield node(
      userId(plan, developer),
      'Hub_User',
      `${accountOf(plan, personOfDeveloper(plan, developer))}-aurora`,
    );
  yield node(botId(plan), 'Hub_User', BOT, { bot: true });
  for (let team = 0; team < plan.teams; team++)
    yield node(idOf(plan, 'T', team), 'Hub_Team', `hub team ${team + 1}`);
  for (let runner = 0; runner < plan.runners; runner++)
    yield node(idOf(plan, 'N', runner), 'Hub_Runner', `runner ${runner + 1}`, { ephemeral: false });
  for (let index = 0; index < plan.repositories; index++) {
    const name = repositoryName(index);
    yield node(repositoryId(plan, index), 'Hub_Repository', `aurora/${name}`, { private: index % 3 !== 0 });
    yield node(idOf(plan, 'W', index), 'Hub_Workflow', `deploy ${name}`);
    if (hasSecret(index)) yield node(idOf(plan, 'S', index), 'Hub_Secret', `deployment of ${name}`);
  }
}

function* edges(plan: PlatformPlan): Generator<PayloadEdge> {
  const { developers, teams, repositories, runners, domain } = plan;
  const edge = (start: string, kind: string, end: string): PayloadEdge => ({
    ...{ kind, start: { value: start }, end: { value: end } },
  });
  const draw = randomStream(plan.seed, 'hub/team');
  for (let developer = 0; developer < developers; developer++) {
    const end = { value: userId(plan, developer) };
    // The provider is a different source, so its users are identified by name.
    const name = gateUserName(plan, personOfDeveloper(plan, developer));
    yield { kind: 'Hub_SignsInAs', start: { match_by: 'name', value: name, kind: 'Gate_User' }, end };
    const team = developer === Math.min(1, developers - 1) ? 0 : below(teams, draw(developer));
    yield edge(end.value, 'Hub_MemberOf', idOf(plan, 'T', team));
  }
  yield edge(userId(plan, Math.floor(developers / 2)), 'Hub_Owns', organizationId(plan));
  yield edge(botId(plan), 'Hub_CanWrite', repositoryId(plan, 0));
  for (let index = 0; index < repositories; index++) {
    const repository = repositoryId(plan, index);
    const workflow = idOf(plan, 'W', index);
    yield edge(organizationId(plan), 'Hub_Contains', repository);
    yield edge(idOf(plan, 'T', index % teams), 'Hub_CanWrite', repository);
    yield edge(idOf(plan, 'T', (index + 1) % teams), 'Hub_CanRead', repository);
    yield edge(repository, 'Hub_Runs', workflow);
    if (index % 4 === 1) yield edge(workflow, 'Hub_RunsOn', idOf(plan, 'N', index % runners));
    if (!hasSecret(index)) continue;
    const secret = idOf(plan, 'S', index);
    yield edge(workflow, 'Hub_UsesSecret', secret);
    // A Tier Zero credential in a workflow is a flaw.
    if (index === 0 && !domain.hasFlaws) continue;
    const account =
      index === 0
        ? blockId(domain, 'tier0Admin', 0)
        : blockId(domain, 'serviceAccount', index % domain.counts.serviceAccount);
    yield { kind: 'Hub_CredentialOf', start: { value: secret }, end: { value: account, kind: 'User' } };
  }
  for (let runner = 0; runner < runners; runner++) {
    const server = blockId(domain, 'server', runner % domain.counts.server);
    yield {
      ...{ kind: 'Hub_HostedOn', start: { value: idOf(plan, 'N', runner) } },
      end: { value: server, kind: 'Computer' },
    };
  }
}

const definition = {
  schema: {
    ...{ name: 'hub', display_name: 'Hub', version: 'v1.0.0', namespace: 'Hub' },
    case_sensitive_ids: true,
  },
  node_kinds: [
    nodeKind('Hub_Organization', 'Hub organization', 'building', '#1f6feb'),
    nodeKind('Hub_User', 'Hub user', 'user-astronaut', '#3fb950'),
    nodeKind('Hub_Team', 'Hub team', 'people-group', '#d29922'),
    nodeKind('Hub_Repository', 'Hub repository', 'code-branch', '#58a6ff'),
    nodeKind('Hub_Workflow', 'Hub workflow', 'gears', '#8957e5'),
    nodeKind('Hub_Secret', 'Hub secret', 'key', '#f85149'),
    nodeKind('Hub_Runner', 'Hub runner', 'person-running', '#6e7681'),
  ],
  relationship_kinds: [
    step('Hub_SignsInAs', 'A user of the identity provider signs in as the user.', 1, 'One sign-in'),
    step('Hub_MemberOf', 'The user is a member of the team.', 0, 'Nothing to do'),
    step('Hub_Owns', 'The user owns the organization.', 0, 'Nothing to do'),
    step('Hub_Contains', 'The organization has the repository.', 1, 'Access is granted to oneself'),
    step('Hub_CanWrite', 'The source changes the files of the repository.', 2, 'A commit that others see'),
    step('Hub_Runs', 'Files of the repository say what the workflow does.', 1, 'A commit starts it'),
    step('Hub_UsesSecret', 'The workflow reads the secret.', 0, 'It is in its environment'),
    step('Hub_CredentialOf', 'The secret is a credential of the account.', 0, 'A sign-in with it'),
    step('Hub_RunsOn', 'The workflow runs on the runner.', 2, 'Code on a machine that others use'),
    step(
      'Hub_HostedOn',
      'The runner is a service of the computer.',
      4,
      'More rights on the machine are needed',
    ),
    relation('Hub_CanRead', 'The team reads the repository.'),
  ],
  environments: [
    { environment_kind: 'Hub_Organization', source_kind: 'HubBase', principal_kinds: ['Hub_User'] },
  ],
  relationship_findings: [
    finding('Hub_CredentialOf', 'Domain', 'A secret that Hub stores signs in to a member of a zone', [
      'Anyone who changes the workflow that reads the secret has the account.',
      'Rotate the credential, and let the workflow sign in without a stored secret, as an account outside the zone.',
    ]),
  ],
  privilege_zone_rules: [
    {
      ...{ name: 'Hub organization', description: 'Its owners control every repository and workflow' },
      ...{ zone: 'Tier Zero', enabled: true, allow_disable: true },
      cypher: 'MATCH (o:Hub_Organization) RETURN o',
    },
  ],
  repairs: [
    repair('Hub_Owns', 2, [
      'Remove {source} from the owners of {target}',
      'Check that {target} has another owner who can sign in. Then change the role of {source} to member in the settings of {target}.',
      'The list of owners no longer has {source}, and someone else on it can sign in.',
      '{source} can no longer change settings, members and repositories of {target}.',
    ]),
    repair('Hub_CredentialOf', 2, [
      'Remove the secret {source} of {target} from Hub',
      'Rotate the credential of {target}, and delete the secret.',
      'The workflow signs in without it.',
      'Deployments stop until the workflow signs in otherwise.',
    ]),
    repair('Hub_CanWrite', 2, [
      'Remove the right to write to {target} from {source}',
      'Set the access of {source} to read in the settings of {target}.',
      'A commit by a member of {source} needs a pull request.',
      'Members of {source} can no longer push.',
    ]),
  ],
};

export const hub: Platform = {
  ...{ name: 'hub', definition, nodes, edges },
  metadata: { source_kind: 'HubBase', case_sensitive_ids: true },
};
