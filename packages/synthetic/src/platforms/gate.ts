/** Gate, an identity provider: people of the root domain sign in with it, some with an easily phished factor. */
import { blockId, specialAccount } from '../plan.ts';
import { randomStream } from '../random.ts';
import { nodeKind, relation, repair, step } from './members.ts';
import type { PayloadEdge, PayloadNode, Platform, PlatformPlan } from './platform.ts';
import { accountOf, personOfDeveloper } from './platform.ts';

const ORGANIZATION = 'GATE:ORG:AURORA';
const PEOPLE_PER_GROUP = 40;
const ROLES = ['Super administrator', 'Help desk administrator'] as const;

/** Ids in the spelling of the platform, which is lower case, although case does not matter. */
export const gateUserId = (person: number): string => `00u${String(person + 1).padStart(8, '0')}gate`;
/** In upper case, as names are stored. */
export const gateUserName = (plan: PlatformPlan, person: number): string =>
  `${accountOf(plan, person)}@aurora.example`.toUpperCase();
const groupId = (group: number): string => `00g${String(group + 1).padStart(8, '0')}gate`;
const roleId = (role: number): string => `gate:role:${ROLES[role]}`;
const AGENT = 'gate:agent:directory';

/** The person whose account reaches Tier Zero over a workflow and has an easily phished factor. */
export const phishedPerson = (plan: PlatformPlan): number =>
  personOfDeveloper(plan, Math.min(1, plan.developers - 1));

/** Users whose sign-in is easily phished are a flaw. */
function signInOf(plan: PlatformPlan, person: number): string {
  if (!plan.domain.hasFlaws) return 'security key';
  if (person === phishedPerson(plan)) return 'sms';
  const draw = randomStream(plan.seed, 'gate/mfa')(person);
  if (draw < 0.02) return 'none';
  return draw < 0.06 ? 'sms' : draw < 0.6 ? 'push' : 'security key';
}

/** A few people exist only at the provider. */
const isSynchronized = (plan: PlatformPlan, person: number): boolean =>
  person === phishedPerson(plan) || randomStream(plan.seed, 'gate/synchronized')(person) < 0.97;

const groupCount = ({ domain }: PlatformPlan): number => Math.ceil(domain.counts.person / PEOPLE_PER_GROUP);

function* nodes(plan: PlatformPlan): Generator<PayloadNode> {
  const environmentid = ORGANIZATION;
  yield {
    id: ORGANIZATION,
    kinds: ['Gate_Organization'],
    properties: { name: 'AURORA GATE', environmentid, collected: true },
  };
  for (const [role, name] of ROLES.entries())
    yield { id: roleId(role), kinds: ['Gate_Role'], properties: { name, environmentid } };
  yield { id: AGENT, kinds: ['Gate_Agent'], properties: { name: 'directory agent', environmentid } };
  for (let group = 0; group < groupCount(plan); group++)
    yield {
      id: groupId(group),
      kinds: ['Gate_Group'],
      properties: { name: `gate group ${group + 1}`, environmentid },
    };
  for (let person = 0; person < plan.domain.counts.person; person++)
    yield {
      id: gateUserId(person),
      kinds: ['Gate_User'],
      properties: {
        ...{ name: gateUserName(plan, person), environmentid, enabled: true },
        mfa: signInOf(plan, person),
      },
    };
}

function* edges(plan: PlatformPlan): Generator<PayloadEdge> {
  const { domain } = plan;
  const people = domain.counts.person;
  for (let person = 0; person < people; person++) {
    const end = { value: gateUserId(person) };
    if (isSynchronized(plan, person))
      yield { kind: 'Gate_SyncedTo', start: { value: blockId(domain, 'person', person), kind: 'User' }, end };
    yield {
      kind: 'Gate_MemberOf',
      start: end,
      end: { value: groupId(Math.floor(person / PEOPLE_PER_GROUP)) },
    };
    yield { kind: 'Gate_Contains', start: { value: ORGANIZATION }, end };
  }
  yield {
    kind: 'Gate_HasRole',
    start: { value: gateUserId(Math.floor(people / 2)) },
    end: { value: roleId(0) },
  };
  yield { kind: 'Gate_Administers', start: { value: roleId(0) }, end: { value: ORGANIZATION } };
  // The help desk of the provider may reset the passwords of the first groups.
  for (let desk = 0; desk < Math.max(1, Math.round(people / 200)); desk++)
    yield {
      kind: 'Gate_HasRole',
      start: { value: gateUserId(people - 1 - desk) },
      end: { value: roleId(1) },
    };
  for (let person = 0; person < Math.min(people - 1, PEOPLE_PER_GROUP); person++)
    yield {
      kind: 'Gate_ResetPassword',
      start: { value: roleId(1) },
      end: { value: gateUserId(person) },
    };
  yield { kind: 'Gate_Configures', start: { value: ORGANIZATION }, end: { value: AGENT } };
  // Flaw: it runs with an account that may replicate the domain.
  if (!domain.hasFlaws) return;
  yield {
    kind: 'Gate_RunsAs',
    start: { value: AGENT },
    end: { value: specialAccount(domain, 'SVC_SYNC').ObjectIdentifier, kind: 'User' },
  };
}

const definition = {
  schema: { name: 'gate', display_name: 'Gate', version: 'v1.0.0', namespace: 'Gate' },
  node_kinds: [
    nodeKind('Gate_Organization', 'Gate organization', 'building-shield', '#1f6feb'),
    nodeKind('Gate_User', 'Gate user', 'user', '#3fb950'),
    nodeKind('Gate_Group', 'Gate group', 'users', '#d29922'),
    nodeKind('Gate_Role', 'Gate role', 'user-shield', '#f85149'),
    nodeKind('Gate_Agent', 'Gate agent', 'gears', '#8957e5'),
  ],
  relationship_kinds: [
    step('Gate_SyncedTo', 'An account of the directory signs in as the user.', 1, 'The same password'),
    step('Gate_MemberOf', 'The user is a member of the group.', 0, 'Nothing to do'),
    step('Gate_HasRole', 'The user holds the role.', 0, 'Nothing to do'),
    step('Gate_ResetPassword', 'The role sets the password of the user.', 2, 'The user notices'),
    step('Gate_Administers', 'The role controls the organization.', 0, 'Nothing to do'),
    step('Gate_Contains', 'The organization has the user.', 1, 'A new password or factor'),
    step('Gate_Configures', 'The organization configures the agent.', 2, 'A change of its configuration'),
    step(
      'Gate_RunsAs',
      'The agent runs with the account of the directory.',
      2,
      'Its secret is on the machine',
    ),
    relation('Gate_AssignedTo', 'The group may use the application.'),
  ],
  environments: [
    { environment_kind: 'Gate_Organization', source_kind: 'GateBase', principal_kinds: ['Gate_User'] },
  ],
  privilege_zone_rules: [
    {
      ...{ name: 'Gate super administrators', description: 'They control every account of Gate' },
      ...{ zone: 'Tier Zero', enabled: true, allow_disable: true },
      cypher: "MATCH (r:Gate_Role) WHERE r.name = 'SUPER ADMINISTRATOR' RETURN r",
    },
  ],
  node_findings: [
    {
      ...{
        name: 'Gate_PhishableSignIn',
        title: 'Gate users who sign in without a phishing-resistant factor',
      },
      ...{ category: 'Identity provider', severity: 'moderate' },
      cypher: "MATCH (u:Gate_User) WHERE u.mfa IN ['none', 'sms'] RETURN u, u.mfa AS factor",
    },
  ],
  repairs: [
    repair('Gate_HasRole', 2, [
      'Remove the role {target} from {source} in Gate',
      'Check that someone else holds the role {target}. Then open the user in the administration of Gate, and remove the role.',
      'The user is not on the list of the administrators, and someone else on it can sign in.',
      'The user loses what the role allows.',
    ]),
  ],
};

export const gate: Platform = {
  ...{ name: 'gate', definition, nodes, edges },
  metadata: { source_kind: 'GateBase' },
};
