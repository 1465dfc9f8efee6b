/**
 * Finds the relations that violate the rule of a list finding. Evidence and repairs use exactly these: an account is a member of many
 * groups, and only the one that causes the finding should be removed.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import {
  ADMINISTRATIVE_GROUPS,
  CONTROL_RIGHTS,
  CREATION,
  certificateAuthorities,
  domainSid,
  domainSidOf,
  domains,
  type EdgeRef,
  type FindingFacts,
  type FindingId,
  FLAG_RIGHTS,
  foreignGroups,
  GRAPH_CONTROL,
  groupsOfEverybody,
  isExchangeOfZone,
  KEY_ADMIN_EXCESS,
  KEY_ADMINS,
  LARGE_DEFAULT_GROUPS,
  LEFT_BEHIND,
  MEMBERSHIPS,
  membership,
  PRIVILEGED_SID,
  permanentRolesOf,
  REPLICATION,
  relationsOverTierZero,
  serversOfSynchronization,
  synchronizingRoles,
  TEMPLATE_ENROLLMENT,
} from '@clew/analysis';
import { type DeclaredCheck, NO_NODE, NodeSet, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';

type Relations = (facts: FindingFacts, target: number) => EdgeRef[];
type Test = (other: number, facts: FindingFacts, flags: number) => boolean;

const any: Test = () => true;
const outside: Test = (other, { tierZero }) => !tierZero.has(other);
const inside: Test = (other, { tierZero }) => tierZero.has(other);

/** Relations that end at the object. */
const into =
  (kinds: readonly EdgeKindName[], test: Test = any): Relations =>
  (facts, target) => {
    const found: EdgeRef[] = [];
    facts.edges(...kinds).into(target, (start, kind, flags) => {
      if (start !== target && test(start, facts, flags)) found.push({ start, kind, end: target });
    });
    return found;
  };

/** Relations that start at the object. */
const outOf =
  (kinds: readonly EdgeKindName[], test: Test = any): Relations =>
  (facts, target) => {
    const found: EdgeRef[] = [];
    facts.edges(...kinds).outOf(target, (end, kind, flags) => {
      if (end !== target && test(end, facts, flags)) found.push({ start: target, kind, end });
    });
    return found;
  };

/** Authorities that publish a template, and principals outside Tier Zero that may enroll in it. */
const ofTemplate: Relations = (facts, template) => [
  ...facts.context
    .use(certificateAuthorities)
    .publishersOf(template)
    .map(({ node }) => ({ start: template, kind: EdgeKind.PublishedTo, end: node })),
  ...into(TEMPLATE_ENROLLMENT, outside)(facts, template),
];

const endsWith =
  (...ends: readonly string[]): Test =>
  (node, { context: { graph } }) =>
    ends.some((end) => objectIdOf(graph, node).endsWith(end));

const not =
  (test: Test): Test =>
  (node, facts, flags) =>
    !test(node, facts, flags);

/** Indirect members belong to the group through a direct member. */
const leadsInto =
  (...ends: readonly string[]): Test =>
  (group, facts) => {
    const groups = facts.withSuffix(facts.groups, ...ends);
    return groups.has(group) || facts.membersOf(groups).has(group);
  };

/** @returns the SID of the domain that issued the SID of the object */
const issuerOf = ({ context: { graph } }: FindingFacts, node: number): string | undefined =>
  domainSidOf(objectIdOf(graph, node));

const isDomain: Test = (node, facts) => facts.of('Domain').has(node);

/** The memberships on the cycles of a group. */
const ofCycles: Relations = (facts, target) => {
  const members = facts.context.use(membership);
  const above = NodeSet.of(facts.context.graph.nodeCount, [target]);
  const cycle = members.membersOf(target).and(members.containersOf(above)).or(above);
  return [...cycle].flatMap((node) => outOf(MEMBERSHIPS, (group) => cycle.has(group))(facts, node));
};

/** @returns for each membership that ends the cycles of the group alone, a list with it; otherwise, all above the group, and all below it */
function endingCycles(target: number, found: readonly EdgeRef[]): readonly (readonly EdgeRef[])[] {
  const ending = found.slice(0, MAX_TRIED).filter((edge) => !isOnCycle(target, withoutEdge(found, edge)));
  if (ending.length > 0) return ending.map((edge) => [edge]);
  return [found.filter(({ start }) => start === target), found.filter(({ end }) => end === target)];
}

/** Maximum number of memberships of a cycle of which each is tried. */
const MAX_TRIED = 50;

const withoutEdge = (all: readonly EdgeRef[], { start, end }: EdgeRef): readonly EdgeRef[] =>
  all.filter((edge) => edge.start !== start || edge.end !== end);

function isOnCycle(target: number, memberships: readonly EdgeRef[]): boolean {
  const above = Map.groupBy(memberships, ({ start }) => start);
  const seen = new Set<number>();
  const next = [target];
  for (const node of next)
    for (const { end } of above.get(node) ?? []) {
      if (end === target) return true;
      if (!seen.has(end)) next.push(end);
      seen.add(end);
    }
  return false;
}

const MEMBERS_OF: Relations = into(['MemberOf']);

/** The roles and groups through which a user is in Tier Zero of a tenant. */
const IN_TIER_ZERO_OF_TENANT: Relations = outOf(['AZHasRole', 'AZRoleEligible', 'AZMemberOf'], inside);

const RELATIONS: Readonly<Partial<Record<FindingId, Relations>>> = {
  NestedForeignPrincipals: (facts, member) =>
    foreignGroups(facts, member).map((end) => ({ start: member, kind: EdgeKind.MemberOf, end })),
  PreWindows2000Access: into(['MemberOf'], endsWith('-S-1-1-0', '-S-1-5-7', '-S-1-5-11')),
  OperatorsGroupsUsed: MEMBERS_OF,
  DnsAdminsNotEmpty: MEMBERS_OF,
  KeyAdminsNotEmpty: MEMBERS_OF,
  SchemaAdminsNotEmpty: into(['MemberOf'], not(endsWith('-500'))),
  ComputersInPrivilegedGroups: outOf(
    ['MemberOf'],
    (group, facts, flags) =>
      inside(group, facts, flags) &&
      !endsWith('-516', '-521', '-498', '-517', '-S-1-5-9')(group, facts, flags) &&
      !facts.name(group).startsWith('EXCHANGE '),
  ),
  SyncAccountInAdmins: outOf(['MemberOf'], leadsInto('-512', '-519', '-544')),
  ServiceAccountPrivileged: outOf(['MemberOf'], leadsInto(...ADMINISTRATIVE_GROUPS)),
  RemoteLaunchGroupsUsed: MEMBERS_OF,
  RodcAllowedGroupUsed: MEMBERS_OF,
  ExchangeControlsDomain: into(CONTROL_RIGHTS, (group, facts) => isExchangeOfZone(facts, group)),
  KeyAdminsFullControl: into(KEY_ADMIN_EXCESS, endsWith(...KEY_ADMINS)),
  DeletedAccountRights: outOf(LEFT_BEHIND),
  ConnectorReplicationRights: outOf(REPLICATION, isDomain),
  BroadGroupInAdministrators: into(['MemberOf'], (group, { context }) =>
    groupsOfEverybody(context).has(group),
  ),
  BroadGroupNested: into(['MemberOf'], (group, facts) => facts.isEverybody(group)),
  CircularMembership: ofCycles,
  T0DisabledUsers: outOf(['MemberOf'], inside),
  NonDefaultPrimaryGroup: outOf(['MemberOf'], (_, __, flags) => (flags & EdgeFlag.PrimaryGroup) !== 0),
  ProbablyTierZero: relationsOverTierZero,
  ComputersOwnedByUsers: (facts, domain) => {
    const found: EdgeRef[] = [];
    const users = facts.users.andNot(facts.tierZero);
    facts.edges('Owns', 'OwnsRaw').forEach((start, kind, end) => {
      if (users.has(start) && facts.computers.has(end) && facts.domainOf(end) === domain)
        found.push({ start, kind, end });
    });
    return found;
  },
  GPOOwnedOutside: into(['Owns'], outside),
  BadSuccessor: into(
    CREATION,
    (holder, facts, flags) => (flags & EdgeFlag.Inherited) === 0 && outside(holder, facts, flags),
  ),
  RBCDConfigured: into(['AllowedToAct']),
  KrbtgtDelegation: into(['AllowedToAct']),
  T0ConstrainedDelegationFromT0: outOf(['AllowedToDelegate']),
  UnconstrainedDelegationComputers: outOf(['CoerceToTGT']),
  UnconstrainedDelegationUsers: outOf(['CoerceToTGT']),
  SIDHistoryPresent: outOf(['HasSIDHistory']),
  SIDHistoryOwnDomain: (facts, account) => {
    const own = domainSid(facts, account);
    return outOf(['HasSIDHistory'], (former) => issuerOf(facts, former) === own)(facts, account);
  },
  SIDHistoryUnknownDomain: outOf(
    ['HasSIDHistory'],
    (former, facts) => facts.context.use(domains).bySid(issuerOf(facts, former)) === NO_NODE,
  ),
  PrivilegedSIDHistory: outOf(['HasSIDHistory'], (former, { context: { graph } }) =>
    PRIVILEGED_SID.test(objectIdOf(graph, former)),
  ),
  TrustWithTGTDelegation: into(['AbuseTGTDelegation']),
  TrustWithoutSIDFiltering: into(['SpoofSIDHistory']),
  TrustAccountOldPassword: into(['HasTrustKeys']),
  TemplateESC1: ofTemplate,
  TemplateESC2: ofTemplate,
  TemplateESC15: ofTemplate,
  TemplateESC17: ofTemplate,
  TemplateAgentOpen: ofTemplate,
  TemplateNoSecurityExtension: ofTemplate,
  TemplateFlagsWritable: (facts, template) => [
    ...ofTemplate(facts, template).filter(({ kind }) => kind === EdgeKind.PublishedTo),
    ...into(FLAG_RIGHTS, outside)(facts, template),
  ],
  TemplateLinkedToPrivilegedGroup: outOf(['OIDGroupLink'], inside),
  CAEditfFlag: into(['Enroll'], outside),
  CANoRoleSeparation: (facts, authority) => {
    const both = facts
      .edges('ManageCA')
      .startsOf(authority)
      .and(facts.edges('ManageCertificates').startsOf(authority));
    return into(['ManageCA', 'ManageCertificates'], (holder) => both.has(holder))(facts, authority);
  },
  AzureAppOwnedByUser: into(
    ['AZOwns'],
    (owner, facts, flags) => facts.of('AZUser').has(owner) && outside(owner, facts, flags),
  ),
  AzureDeviceNonCompliantT0: outOf(
    ['AZOwns'],
    (device, facts) => facts.of('AZDevice').has(device) && facts.is('ismanaged', false).has(device),
  ),
  AzureHighGraphPermission: outOf(GRAPH_CONTROL),
  AzureLargeDynamicGroupRole: outOf(['AZHasRole', 'AZRoleEligible'], inside),
  AzureRoleAssignableGroupOwners: into(['AZOwns']),
  AzureSyncAccountPrivileges: outOf(['AZHasRole'], (role, facts) => !synchronizingRoles(facts).has(role)),
  AzureT0PermanentAssignment: (facts, holder) => {
    const permanent = new Set(permanentRolesOf(facts, holder));
    return outOf(['AZHasRole'], (role) => permanent.has(role))(facts, holder);
  },
  AzureT0DisabledUser: IN_TIER_ZERO_OF_TENANT,
  AzureT0GuestHolder: IN_TIER_ZERO_OF_TENANT,
  AzureT0StaleUser: IN_TIER_ZERO_OF_TENANT,
  AzureT0SyncedUser: IN_TIER_ZERO_OF_TENANT,
  AzureT0ServicePrincipalHolder: outOf(['AZHasRole'], inside),
  AzureVMPrivilegedIdentity: outOf(['AZManagedIdentity'], inside),
  AzureAutomationPrivilegedIdentity: outOf(['AZManagedIdentity'], inside),
  AzureDirectUserAssignment: outOf(['AZOwner', 'AZContributor']),
  AzureSubscriptionManyOwners: into(['AZOwner']),
  AzureUserAccessAdminRoot: outOf(['AZUserAccessAdministrator'], (group, facts) =>
    facts.of('AZManagementGroup').has(group),
  ),
};

/**
 * Findings of published templates: they end when no authority publishes the template, or when none of these principals has a right on it. The
 * other rights only show who may use the template.
 */
const RIGHTS_ON_TEMPLATE: Readonly<Partial<Record<FindingId, Test>>> = {
  ...{ TemplateESC1: any, TemplateESC2: any, TemplateESC15: any, TemplateESC17: any },
  TemplateAgentOpen: endsWith(...LARGE_DEFAULT_GROUPS),
  TemplateNoSecurityExtension: () => false,
  TemplateFlagsWritable: any,
};

/** Unpublishing the template would close them, too, but stops everyone who enrolls because a few may write to it. */
const KEPT_PUBLISHED: ReadonlySet<string> = new Set<FindingId>(['TemplateFlagsWritable']);

/** Types whose relations only illustrate the finding: removing one closes nothing, or causes damage. */
const SHOWN_ONLY: ReadonlySet<string> = new Set<FindingId>([
  ...(['TrustAccountOldPassword', 'CANoRoleSeparation', 'AzureDeviceNonCompliantT0'] as const),
  ...(['NonDefaultPrimaryGroup', 'ComputersOwnedByUsers', 'ConnectorReplicationRights'] as const),
  'CAEditfFlag',
]);

/** @returns the unique relations of the object that violate the rule of the type; empty for types that check only settings */
export function foundRelations(facts: FindingFacts, id: string, target: number): EdgeRef[] {
  return RELATIONS[id as FindingId]?.(facts, target) ?? [];
}

/** Whether the rule finds the object also without its relations. */
const isFoundWithout = (facts: FindingFacts, id: string, target: number): boolean =>
  id === 'ProbablyTierZero' && serversOfSynchronization(facts).has(target);

/** Types that close only if the object leaves Tier Zero: a selector, a container or other memberships may keep it there. */
const ENDED_BY_LEAVING: ReadonlySet<string> = new Set<FindingId>([
  ...(['T0DisabledUsers', 'AzureT0DisabledUser', 'AzureT0GuestHolder'] as const),
  ...(['AzureT0StaleUser', 'AzureT0SyncedUser'] as const),
]);

export const isEndedByLeaving = (id: string): boolean => ENDED_BY_LEAVING.has(id);

/** @returns lists of relations of which each closes the finding if all its relations are removed */
export function closingRelations(
  facts: FindingFacts,
  id: string,
  target: number,
  found: readonly EdgeRef[],
): readonly (readonly EdgeRef[])[] {
  if (!isRepairedByRelations(id)) return [];
  const ofRights = RIGHTS_ON_TEMPLATE[id as FindingId];
  if (id === 'CircularMembership') return endingCycles(target, found);
  if (ofRights === undefined) return isFoundWithout(facts, id, target) ? [] : [found];
  const isPublished = ({ kind }: EdgeRef): boolean => kind === EdgeKind.PublishedTo;
  const rights = found.filter((edge) => !isPublished(edge) && ofRights(edge.start, facts, 0));
  return KEPT_PUBLISHED.has(id) ? [rights] : [found.filter(isPublished), rights];
}

/** @returns relations of the object whose removal repairs the finding of a check */
export function relationsOfCheck(
  { context: { graph } }: Pick<FindingFacts, 'context'>,
  { repairedBy }: DeclaredCheck,
  target: number,
): EdgeRef[] {
  if (repairedBy === undefined) return [];
  const { kinds, direction } = repairedBy;
  const edges = graph[direction];
  const found: EdgeRef[] = [];
  for (let at = edges.offsets[target]; at < edges.offsets[target + 1]; at++) {
    const [kind, other] = [edges.kinds[at], edges.neighbors[at]];
    if (!kinds.includes(kind)) continue;
    found.push(
      direction === 'out' ? { start: target, kind, end: other } : { start: other, kind, end: target },
    );
  }
  return found;
}

/** Whether removing such a relation is a repair. */
export const isRepairedByRelations = (id: string): boolean =>
  Object.hasOwn(RELATIONS, id) && !SHOWN_ONLY.has(id);

/** Whether the object needs the relation for its purpose. */
export function isNeeded(facts: FindingFacts, { start, kind }: EdgeRef): boolean {
  const name = edgeKindById(kind)?.name;
  const isReplication =
    name === 'DCSync' ||
    name === 'GetChanges' ||
    name === 'GetChangesAll' ||
    name === 'GetChangesInFilteredSet';
  return isReplication && facts.connectorAccounts().has(start);
}
