/**
 * The evidence of a finding: the values of its object, the relations behind it, and the repairs that close it.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import {
  type AnalysisContext,
  compose,
  type EdgeRef,
  edgeKindsOf,
  environments,
  FindingFacts,
  type FindingId,
  findingTypesOf,
  inheritanceSource,
  isInherited,
  type RelationshipFindingType,
  type SettingName,
} from '@clew/analysis';
import { edgeKey, findEdge, type JsonValue, NO_EDGE, NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Labels } from '../relaxation/stepLabels.ts';
import { aboutPermanent } from '../repairs/permanent.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { affectedBy } from '../simulation/affected.ts';
import { aboutMissingMembers, adviceFor } from './advice.ts';
import type { EvidenceQuestion } from './evidenceQuestion.ts';
import {
  closingRelations,
  foundRelations,
  isEndedByLeaving,
  isNeeded,
  relationsOfCheck,
} from './foundRelations.ts';
import { aboutPolicies, policyWays } from './policyWays.ts';
import { common } from './removal.ts';
import { repairsAbout, repairsBehind, waysBehind } from './repairsBehind.ts';
import { tenantRelations } from './tenantRelations.ts';

export interface EvidenceRelation extends EdgeRef {
  readonly isInherited: boolean;
  /** Container from which an entry is inherited, if the collection has it. */
  readonly inheritedFrom?: number;
}

export interface Evidence {
  readonly values: readonly { readonly node: number; readonly key: string; readonly value: JsonValue }[];
  /** All alternatives of a derived relation; otherwise the relation itself, or the relations of the object of a list finding. */
  readonly relations: readonly EvidenceRelation[];
  /** Advice about these objects that the remedy of the type cannot give; sentences. */
  readonly advice: readonly string[];
  /**
   * Each repair closes the finding or removes one of its ways; those that close it alone are first. Within both, the cheapest is first, and of
   * equal ones the one that affects fewest principals.
   */
  readonly repairs: readonly Repair[];
  /** Repairs that each close the finding alone. */
  readonly closing: ReadonlySet<Repair>;
  /** Whether no more relations, or no more repairs, exist. */
  readonly isComplete: { readonly relations: boolean; readonly repairs: boolean };
}

/** Maximum number of relations shown for a list finding. */
const MAX_RELATIONS = 50;
const MAX_REPAIRS = 20;
/** Maximum number of repairs that are priced to find the cheapest of them: each price reads the facts. */
const MAX_PRICED = 5 * MAX_REPAIRS;

/** The most informative properties of an account or a computer, for any finding. */
const ALWAYS = [
  ...['enabled', 'pwdlastset', 'lastlogontimestamp', 'whencreated', 'admincount', 'serviceprincipalnames'],
  ...['operatingsystem', 'unconstraineddelegation', 'allowedtodelegate', 'gmsa', 'sidhistory'],
] as const;

export interface EvidenceOptions {
  /** The cost of a repair; by default the work of its kind. */
  readonly costOf?: (repair: Repair) => number;
  /** Whether a node is no longer in Tier Zero without these relations; by default it stays. */
  readonly leaves?: (node: number, removed: readonly EdgeRef[]) => boolean;
}

const costOfKind = ({ cost, kind }: Repair): number => cost ?? DEFAULT_COSTS[kind];

/** @param tierZero members of Tier Zero; without it, nodes are not classified as inside or outside */
export function evidenceOf(
  context: AnalysisContext,
  question: EvidenceQuestion,
  tierZero: NodeSet = NodeSet.empty(context.graph.nodeCount),
  { costOf = costOfKind, leaves = () => false }: EvidenceOptions = {},
): Evidence {
  const facts = new FindingFacts(context, tierZero, Date.now() / 1000);
  const type = findingTypesOf(context.graph)[question.type];
  const { source, target, edgeKind } = question;
  const ends = source === undefined ? [target] : [source, target];
  const keys = new Set<string>([
    ...(type.kind === 'list'
      ? [...type.needs, type.seenBy ?? '', ...(type.reads?.nodeProperties ?? [])]
      : []),
    ...ALWAYS,
  ]);
  const values = ends.flatMap((node) =>
    [...keys].flatMap((key) => {
      const value = context.properties.value(key, node);
      return value === undefined || value === null ? [] : [{ node, key, value }];
    }),
  );
  const catalog = new RepairCatalog(context, ruleKinds());
  if (type.kind === 'list' || source === undefined || edgeKind === undefined) {
    const check = type.kind === 'list' ? type.check : undefined;
    const found =
      check === undefined ? foundRelations(facts, type.id, target) : relationsOfCheck(facts, check, target);
    const closed = check === undefined ? closingRelations(facts, type.id, target, found) : [found];
    const causes = withCauses(context, found.slice(0, MAX_RELATIONS));
    const ofSettings = repairsOfSettings(context, catalog, type.id, target);
    const isNeedless = (edge: EdgeRef): boolean => !isNeeded(facts, edge);
    const needless = closed.flat().filter(isNeedless);
    const closing = new Set([
      ...ofSettings.map((place) => catalog.repairs[place]),
      ...closed
        .filter((all) => all.every(isNeedless) && (!isEndedByLeaving(type.id) || leaves(target, all)))
        .flatMap((all) => removingAll(context, catalog, all)),
    ]);
    const repairs = new Set([...closing, ...repairsOfRelations(context, catalog, needless)]);
    return {
      values,
      advice: [
        ...adviceFor(context, question),
        // This type already asks whether the rights are needed.
        ...(type.id === 'ConnectorReplicationRights' ? [] : aboutNeeded(facts, found)),
        ...(type.id === 'ProbablyTierZero' ? aboutSynchronization(facts, target) : []),
        ...(type.id === 'RodcDeniedGroupIncomplete' ? aboutMissingMembers(facts, target) : []),
        ...(closed.length > 0 ? aboutPermanent(context, closed.flat()) : []),
        ...aboutPolicies(context, causes),
      ],
      relations: withPolicies(context, causes).map((ref) => shownRelation(context, ref)),
      repairs: inOrder(context, [...repairs], closing, costOf),
      closing,
      isComplete: { relations: found.length <= MAX_RELATIONS, repairs: repairs.size <= MAX_REPAIRS },
    };
  }
  const edges = edgesOf(context, type, { source, target, edgeKind });
  const stands = withoutRepeatedEdges(edges.flatMap((edge) => standsOn(context, edge)));
  const isKept = edges.some((edge) => isNeeded(facts, edge));
  const about = edges.map((edge) => repairsAbout(context, catalog, edge));
  const places = common(about.map(({ removing }) => [...removing]));
  const repairs = [...new Set([...places, ...about.flatMap(({ all }) => all)])].map(
    (place) => catalog.repairs[place],
  );
  const closing = new Set(repairs.slice(0, places.length));
  return {
    values,
    advice: [
      ...adviceFor(context, question),
      ...aboutNeeded(facts, edges),
      ...aboutPermanent(context, stands),
      ...aboutPolicies(context, stands),
    ],
    relations: withPolicies(context, stands).map((ref) => shownRelation(context, ref)),
    repairs: isKept ? [] : inOrder(context, repairs, closing, costOf),
    closing,
    isComplete: { relations: true, repairs: isKept || repairs.length <= MAX_REPAIRS },
  };
}

/** @returns the repairs to show, the best first; repairs whose users the facts do not show come after others of the same cost */
function inOrder(
  context: AnalysisContext,
  repairs: readonly Repair[],
  closing: ReadonlySet<Repair>,
  costOf: (repair: Repair) => number,
): Repair[] {
  return repairs
    .slice(0, MAX_PRICED)
    .map((repair) => ({
      ...{ repair, isPart: Number(!closing.has(repair)), cost: costOf(repair) },
      affected: affectedBy(context, repair)?.count ?? Number.MAX_SAFE_INTEGER,
    }))
    .sort((a, b) => a.isPart - b.isPart || a.cost - b.cost || a.affected - b.affected)
    .slice(0, MAX_REPAIRS)
    .map(({ repair }) => repair);
}

/** @returns the relations of a finding, the asked one first: several of a type between the same objects are one finding */
function edgesOf(
  { graph }: AnalysisContext,
  type: RelationshipFindingType,
  { source, target, edgeKind }: Required<Pick<EvidenceQuestion, 'source' | 'target' | 'edgeKind'>>,
): readonly EdgeRef[] {
  const others = edgeKindsOf(type).filter(
    (kind) => kind !== edgeKind && findEdge(graph, source, kind, target) !== NO_EDGE,
  );
  return [edgeKind, ...others].map((kind) => ({ start: source, kind, end: target }));
}

/**
 * @returns the relations from which a relation is derived; the relation itself if it was collected or depends only on settings; for a
 * relation within a tenant, also the containment of the objects that it names
 */
export function standsOn(context: AnalysisContext, edge: EdgeRef): readonly EdgeRef[] {
  const stands = madeOf(context, edge);
  const shown = new Set(stands.map(edgeKey));
  const ofTenant = tenantRelations(context, edge, stands);
  return [...stands, ...ofTenant.filter((edge) => !shown.has(edgeKey(edge)))];
}

function madeOf(context: AnalysisContext, edge: EdgeRef): readonly EdgeRef[] {
  const composed = compose(context, edge).edges;
  if (composed.length > 0) return composed;
  const needed = new Map<string, EdgeRef>();
  for (const matched of context.options.matches?.of(context.graph, edge) ?? [])
    for (const relation of matched) needed.set(edgeKey(relation), relation);
  for (const { needs } of waysBehind(context, edge) ?? [])
    for (const need of needs)
      if (!('setting' in need)) {
        const relation = { ...need, kind: EdgeKind[need.kind] };
        needed.set(edgeKey(relation), relation);
      }
  return needed.size === 0 ? [edge] : [...needed.values()];
}

const withoutRepeatedEdges = (all: readonly EdgeRef[]): EdgeRef[] => [
  ...new Map(all.map((edge) => [edgeKey(edge), edge])).values(),
];

/** Returns each relation, followed by the relations it is derived from, which its repairs change. */
function withCauses(context: AnalysisContext, found: readonly EdgeRef[]): EdgeRef[] {
  const all = new Map<string, EdgeRef>();
  for (const ref of found)
    for (const edge of [ref, ...compose(context, ref).edges]) all.set(edgeKey(edge), edge);
  return [...all.values()];
}

/** Adds the links and containers through which policies behind some of the relations reach their computers. */
const withPolicies = (context: AnalysisContext, relations: readonly EdgeRef[]): readonly EdgeRef[] => {
  const shown = new Set(relations.map(edgeKey));
  const ways = policyWays(context, relations);
  return [...relations, ...ways.filter((edge) => !shown.has(edgeKey(edge)))];
};

function shownRelation({ graph }: AnalysisContext, ref: EdgeRef): EvidenceRelation {
  if (!isInherited(graph, ref)) return { ...ref, isInherited: false };
  const inheritedFrom = inheritanceSource(graph, ref);
  return { ...ref, isInherited: true, ...(inheritedFrom !== undefined && { inheritedFrom }) };
}

/** Explains relations that are needed although they give control. */
function aboutNeeded(facts: FindingFacts, relations: readonly EdgeRef[]): string[] {
  const { graph } = facts.context;
  const needed = relations.find((edge) => isNeeded(facts, edge));
  if (needed === undefined) return [];
  const name = nameOf(graph, needed.start) || objectIdOf(graph, needed.start);
  return [
    `${name} is a directory synchronization connector account. Keep its replication rights: without them, password hash synchronization stops. Add the account and the synchronization server to Tier Zero, and protect them like the rest of Tier Zero.`,
  ];
}

/** Explains why a server counts as the synchronization server, and why its administrators control Tier Zero. */
function aboutSynchronization(facts: FindingFacts, target: number): string[] {
  const { graph } = facts.context;
  const shown = (node: number): string => nameOf(graph, node) || objectIdOf(graph, node);
  return [...facts.synchronizationServers()]
    .filter(([server]) => server === target || facts.edges('AdminTo').startsOf(server).has(target))
    .map(
      ([server, accounts]) =>
        `${shown(server)} runs directory synchronization and stores the password of ${accounts.map(shown).join(' and ')}, so anyone who administers the server has the rights of these accounts. Add the server and its administrators to Tier Zero.`,
    );
}

/** @returns for each relation that the rule found, the repairs that remove it, up to one more than an answer lists */
function repairsOfRelations(
  context: AnalysisContext,
  catalog: RepairCatalog,
  found: readonly EdgeRef[],
): ReadonlySet<Repair> {
  const repairs = new Set<Repair>();
  for (const edge of found)
    for (const place of repairsBehind(context, catalog, edge)) {
      repairs.add(catalog.repairs[place]);
      if (repairs.size > MAX_REPAIRS) return repairs;
    }
  return repairs;
}

/** @returns the repairs that each remove all relations */
function removingAll(
  context: AnalysisContext,
  catalog: RepairCatalog,
  relations: readonly EdgeRef[],
): Repair[] {
  let places: Labels | undefined;
  for (const edge of relations) {
    const removing = [...repairsAbout(context, catalog, edge).removing];
    places = places === undefined ? removing : common([places, removing]);
    if (places.length === 0) return [];
  }
  return (places ?? []).map((place) => catalog.repairs[place]);
}

/** Settings checked by list findings, each of which closes the finding. Settings of controllers change for their whole domain. */
const SETTINGS_OF: Readonly<Partial<Record<FindingId, readonly SettingName[]>>> = {
  TemplateESC1: ['template-subject', 'template-approval'],
  TemplateESC2: ['template-approval'],
  TemplateESC15: ['template-subject', 'template-approval'],
  TemplateESC17: ['template-approval', 'template-subject'],
  TemplateAgentOpen: ['template-approval'],
  TemplateNoSecurityExtension: ['template-security-extension'],
  CAEditfFlag: ['authority-san-flag'],
  CAWebEnrollmentRelay: ['authority-web-enrollment'],
  CAUnencryptedRPC: ['authority-rpc-encryption'],
  CASecurityExtensionDisabled: ['authority-extensions'],
  DCWeakCertificateBinding: ['controllers-certificate-binding'],
  DCUPNCertificateMapping: ['controllers-certificate-mapping'],
  DCLDAPSigningOff: ['controllers-ldap-signing'],
  DCLDAPSChannelBindingOff: ['controllers-channel-binding'],
  DCVulnerableNetlogonAllowList: ['controllers-netlogon-exceptions'],
  SMBSigningNotRequired: ['computer-smb-signing'],
  T0SMBSigningNotRequired: ['computer-smb-signing'],
  MachineAccountQuota: ['domain-computer-quota'],
};

/** @returns the numbers of the repairs that each change a setting of the type; empty if no setting can be changed */
export function repairsOfSettings(
  context: AnalysisContext,
  catalog: RepairCatalog,
  id: string,
  target: number,
): readonly number[] {
  const { nodes, of } = context.use(environments);
  return (SETTINGS_OF[id as FindingId] ?? []).flatMap((setting) => {
    const node = setting.startsWith('controllers-') ? nodes[of[target]] : target;
    return node === undefined ? [] : (catalog.ofNeed({ setting, node }) ?? []);
  });
}
