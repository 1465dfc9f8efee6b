/**
 * Repairs: the relationships that one change in the directory removes. A finding describes a weakness; a repair describes how to remove it,
 * and may close many findings.
 *
 * Rule: `docs/plan.md#repairs`.
 */
import {
  type AnalysisContext,
  APPROVERS,
  domains,
  type EdgeRef,
  edgeNameOf,
  edgeNumberOf,
  environments,
  LocalGroup,
  localGroups,
  type Need,
  type RelationNeed,
  RULES,
  type SettingName,
  SYNCHRONIZED,
} from '@clew/analysis';
import { addTo, findEdge, getOrMake, NO_EDGE, NodeSet, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import { declaredRepair, isDerivedByDefinition } from './declaredRepairs.ts';
import { type PolicyMember, policyMembers } from './policyMembers.ts';
import { isSetting, type PropertyChange, settingChanges } from './settings.ts';

export type RepairKind =
  | SettingName
  | 'remove-permission'
  | 'change-owner'
  | 'remove-enrollment'
  | 'unpublish-template'
  | 'remove-member'
  | 'remove-local-member'
  | 'remove-policy-member'
  | 'remove-logon-right'
  | 'keep-off'
  | 'separate-logons'
  | 'unlink-policy'
  | 'move-object'
  | 'remove-delegation'
  | 'clear-sid-history'
  | 'filter-trust'
  | 'protect-host'
  | 'remove-role'
  | 'unsynchronize'
  | 'remove-relation';

/**
 * Costs of repairs, in steps of effort and risk: changing a flag takes minutes, while a membership on which work may depend must
 * be reviewed first. Operators can override costs.
 */
export const DEFAULT_COSTS: Readonly<Record<RepairKind, number>> = {
  'template-subject': 1,
  'template-approval': 2,
  'template-security-extension': 1,
  'authority-san-flag': 1,
  'authority-web-enrollment': 1,
  'authority-rpc-encryption': 1,
  'authority-extensions': 1,
  'controllers-certificate-binding': 2,
  'controllers-certificate-mapping': 2,
  'controllers-ldap-signing': 2,
  'controllers-channel-binding': 2,
  'controllers-netlogon-exceptions': 2,
  'computer-smb-signing': 1,
  'domain-smb-signing': 3,
  'domain-computer-quota': 1,
  'remove-permission': 1,
  'change-owner': 1,
  'remove-enrollment': 1,
  'unpublish-template': 2,
  'remove-member': 1,
  'remove-local-member': 1,
  'remove-policy-member': 2,
  'remove-logon-right': 1,
  'keep-off': 2,
  'separate-logons': 4,
  'unlink-policy': 2,
  'move-object': 3,
  'remove-delegation': 2,
  'clear-sid-history': 1,
  'filter-trust': 3,
  'protect-host': 4,
  'remove-role': 1,
  unsynchronize: 4,
  'remove-relation': 2,
};

export interface FactsChange {
  readonly removed: readonly EdgeRef[];
  readonly properties: readonly PropertyChange[];
}

export interface Repair {
  /** Stable across generations: kind and object ids. */
  readonly id: string;
  readonly kind: RepairKind;
  /** The changed object. */
  readonly object: number;
  /** The principal that loses access. */
  readonly principal?: number;
  /** Names of the removed relations, including kinds declared by the data. */
  readonly edgeKinds: readonly EdgeKindName[];
  readonly change: FactsChange;
  /** The relation, if the repair removes exactly one. Its id has the start, the name of the relation and the end, in this order. */
  readonly edge?: EdgeRef;
  /** Cost from a definition, which overrides the cost of its kind. */
  readonly cost?: number | undefined;
}

/** Edge kinds by the repair that removes them; all access list kinds are permissions. */
export const KIND_OF_EDGE: Readonly<Partial<Record<EdgeKindName, RepairKind>>> = {
  MemberOf: 'remove-member',
  AZMemberOf: 'remove-member',
  MemberOfLocalGroup: 'remove-local-member',
  RemoteInteractiveLogonRight: 'remove-logon-right',
  HasSession: 'keep-off',
  GPLink: 'unlink-policy',
  Contains: 'move-object',
  AllowedToDelegate: 'remove-delegation',
  AllowedToAct: 'remove-delegation',
  CoerceToTGT: 'remove-delegation',
  HasSIDHistory: 'clear-sid-history',
  SpoofSIDHistory: 'filter-trust',
  AbuseTGTDelegation: 'filter-trust',
  OwnsLimitedRights: 'change-owner',
  GoldenCert: 'protect-host',
  DumpSMSAPassword: 'protect-host',
  PublishedTo: 'unpublish-template',
  Enroll: 'remove-enrollment',
  AZHasRole: 'remove-role',
  AZRoleEligible: 'remove-role',
  AZGlobalAdmin: 'remove-role',
  AZPrivilegedRoleAdmin: 'remove-role',
  AZPrivilegedAuthAdmin: 'remove-role',
  SyncedToADUser: 'unsynchronize',
  SyncedToEntraUser: 'unsynchronize',
};

/** Edges that Windows creates, or that only a rebuild changes. */
const FIXED: ReadonlySet<EdgeKindName> = new Set([
  ...(['ClaimSpecialIdentity', 'DCFor', 'SameForestTrust', 'HasTrustKeys', 'LocalToComputer'] as const),
  'SynchronizesAs',
  ...(['ContainsIdentity', 'PropagatesACEsTo', 'GPOAppliesTo', 'CanApplyGPO'] as const),
]);

/** Relations whose collected name differs from the name in the attack graph. */
const COLLECTED_AS: Readonly<Partial<Record<EdgeKindName, EdgeKindName>>> = {
  Owns: 'OwnsRaw',
  WriteOwner: 'WriteOwnerRaw',
};

export interface RepairKey {
  /** A `RepairKind`, or any string from a record. */
  readonly kind: string;
  readonly object: number;
  readonly principal?: number;
  /** Names of edge kinds, as in `Repair.edgeKinds`. */
  readonly relations: readonly string[];
}

/** Edge kinds that rules derive. */
export const ruleKinds = (): ReadonlySet<number> =>
  new Set(RULES.flatMap(({ produces }) => produces.map((kind) => EdgeKind[kind])));

/** A repair that removes one relation. There may be millions, so values are computed on request to save memory. */
class RelationRepair implements Repair {
  readonly kind: RepairKind;
  readonly object: number;
  readonly principal: number;
  readonly #context: AnalysisContext;
  readonly #edgeKind: number;
  readonly #isAtStart: boolean;

  constructor(context: AnalysisContext, kind: RepairKind, { start, kind: edgeKind, end }: EdgeRef) {
    this.kind = kind;
    this.#context = context;
    this.#edgeKind = edgeKind;
    // Settings stored at the start are changed there.
    this.#isAtStart =
      (AT_START.has(kind) && edgeKind !== EdgeKind.AllowedToAct) ||
      declaredRepair(context.graph, edgeKind)?.isAtStart === true;
    this.object = this.#isAtStart ? start : end;
    this.principal = this.#isAtStart ? end : start;
  }

  get cost(): number | undefined {
    return declaredRepair(this.#context.graph, this.#edgeKind)?.cost;
  }

  get id(): string {
    const { graph } = this.#context;
    const { start, end } = this.edge;
    const [name] = this.edgeKinds;
    return `${this.kind} ${objectIdOf(graph, start)} ${name ?? this.#edgeKind} ${objectIdOf(graph, end)}`;
  }

  get edgeKinds(): readonly EdgeKindName[] {
    const name = edgeNameOf(this.#context.graph, this.#edgeKind);
    return name === undefined ? [] : [name as EdgeKindName];
  }

  get change(): FactsChange {
    return {
      removed: [collected(this.#context, this.edge)],
      properties: alongside(this.#context, this.edge),
    };
  }

  get edge(): EdgeRef {
    const [start, end] = this.#isAtStart ? [this.object, this.principal] : [this.principal, this.object];
    return { start, kind: this.#edgeKind, end };
  }
}

/** The collected relation, if it has another name in the attack graph. */
function collected({ graph }: AnalysisContext, edge: EdgeRef): EdgeRef {
  const raw = COLLECTED_AS[edgeKindById(edge.kind)?.name as EdgeKindName];
  if (raw === undefined) return edge;
  const isThere = findEdge(graph, edge.start, EdgeKind[raw], edge.end) !== NO_EDGE;
  return isThere ? { ...edge, kind: EdgeKind[raw] } : edge;
}

/** Settings that cause a relation and are removed with it. */
function alongside({ graph, properties }: AnalysisContext, { start, kind, end }: EdgeRef): PropertyChange[] {
  switch (kind) {
    case EdgeKind.CoerceToTGT:
      return [{ node: start, key: 'unconstraineddelegation', value: false }];
    case EdgeKind.HasSIDHistory: {
      const former = objectIdOf(graph, end);
      const isFormer = (sid: unknown): boolean => typeof sid === 'string' && sid.toUpperCase() === former;
      const value = properties.value('sidhistory', start);
      if (isFormer(value)) return [{ node: start, key: 'sidhistory', value: [] }];
      if (!Array.isArray(value) || !value.some(isFormer)) return [];
      return [{ node: start, key: 'sidhistory', value: value.filter((sid) => !isFormer(sid)) }];
    }
    case EdgeKind.SyncedToADUser:
      return [{ node: start, key: SYNCHRONIZED, value: false }];
    case EdgeKind.SyncedToEntraUser:
      return [{ node: end, key: SYNCHRONIZED, value: false }];
    case EdgeKind.AZRoleApprover: {
      const approver = objectIdOf(graph, start);
      return APPROVERS.flatMap((key) => {
        const named = properties.texts(key, end);
        const others = named.filter((id) => id.toUpperCase() !== approver);
        return others.length === named.length ? [] : [{ node: end, key, value: others }];
      });
    }
    default:
      return [];
  }
}

/** A broad change of a single object equals the narrow change, so it is offered only for two or more objects. */
const SEVERAL = 2;

/** All repairs found so far, each once, numbered in discovery order. */
export class RepairCatalog {
  readonly repairs: Repair[] = [];
  readonly #context: AnalysisContext;
  /** Places of repairs of several relations. */
  readonly #places = new Map<string, number>();
  /** Places of repairs of one relation, keyed by edge number. */
  readonly #ofEdges = new Map<number, number>();
  readonly #changedNodes = new Map<number, ReadonlySet<number>>();
  readonly #derivedKinds: ReadonlySet<number>;
  readonly #tierZero: NodeSet;
  #strayLogons: ReadonlyMap<number, readonly EdgeRef[]> | undefined;

  /**
   * @param derivedKinds kinds that rules derive; only removing the facts behind them counts
   * @param tierZero members of Tier Zero; without it, logons are repaired one by one
   */
  constructor(context: AnalysisContext, derivedKinds: ReadonlySet<number>, tierZero?: NodeSet) {
    this.#context = context;
    this.#derivedKinds = derivedKinds;
    this.#tierZero = tierZero ?? NodeSet.empty(context.graph.nodeCount);
  }

  /**
   * Whether no change removes such an edge: Windows determines it at logon, or it is a primary group, which accounts cannot
   * leave.
   */
  isFixed(kind: number, flags: number): boolean {
    if (kind === EdgeKind.MemberOf) return (flags & (EdgeFlag.Derived | EdgeFlag.PrimaryGroup)) !== 0;
    const name = edgeKindById(kind)?.name;
    if (name === undefined) return isDerivedByDefinition(this.#context.graph, kind, flags);
    return FIXED.has(name as EdgeKindName);
  }

  /** @returns the number of the repair; undefined if the relation cannot be removed */
  ofEdge(edge: EdgeRef, flags: number): number | undefined {
    if (this.isFixed(edge.kind, flags)) return undefined;
    // Objects cannot leave their tenant, and a resource inherits the rights of its scopes wherever it moves, so these rights are removed at
    // the scope.
    if (edge.kind === EdgeKind.AZContains) return undefined;
    if (edge.kind === EdgeKind.MemberOfLocalGroup) {
      const cause = this.#context.use(policyMembers).of(edge.start, edge.end);
      if (cause !== undefined) return this.#ofPolicy(cause);
    }
    return this.#ofEdgeAlone(edge);
  }

  /** @returns the repair that removes only this relation */
  #ofEdgeAlone(edge: EdgeRef): number | undefined {
    const { graph } = this.#context;
    const number = findEdge(graph, edge.start, edge.kind, edge.end);
    if (number === NO_EDGE) return undefined;
    return getOrMake(this.#ofEdges, number, () => {
      const name = edgeKindById(edge.kind)?.name as EdgeKindName | undefined;
      const kind = name === undefined ? 'remove-relation' : this.#kindOf(name, edge.end);
      return this.repairs.push(new RelationRepair(this.#context, kind, edge)) - 1;
    });
  }

  /** @returns the repair that removes a member from policies, and thus from the local groups of all computers in their scope */
  #ofPolicy({ member, units: [unit], relativeId, gives, edges }: PolicyMember): number {
    const { graph } = this.#context;
    const id = `remove-policy-member ${objectIdOf(graph, unit)} ${relativeId} ${objectIdOf(graph, member)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const edgeKinds: EdgeKindName[] = ['MemberOfLocalGroup', ...(gives === undefined ? [] : [gives])];
    const change = { removed: edges, properties: [] };
    return this.#put({
      id,
      kind: 'remove-policy-member',
      object: unit,
      principal: member,
      edgeKinds,
      change,
    });
  }

  /**
   * Finds broader changes that have the effect of this repair here and at other objects, such as a policy that replaces hundreds
   * of repairs. They remove every step that this repair removes.
   */
  broaderThan(place: number): readonly number[] {
    const { kind, object, principal } = this.repairs[place];
    if (kind === 'keep-off') {
      // Separating logons of Tier Zero ends only its sessions outside Tier Zero.
      const all = principal === undefined ? undefined : this.ofSeparation(object, principal);
      return all === undefined ? [] : [all];
    }
    if (kind === 'computer-smb-signing') {
      const all = this.ofDomainSigning(object);
      return all === undefined ? [] : [all];
    }
    if (!isForestSetting(kind)) return [];
    const own = this.#nodesOf(place).size;
    const known = this.#context.use(domains);
    return [...known.nodes]
      .filter((domain) => known.forestOf(domain).has(object))
      .flatMap((domain) => this.ofNeed({ setting: kind, node: domain }) ?? [])
      .filter((broad, at, all) => broad !== place && all.indexOf(broad) === at)
      .filter((broad) => this.#nodesOf(broad).size > own && this.#changesAllOf(broad, place));
  }

  #changesAllOf(broad: number, narrow: number): boolean {
    const nodes = this.#nodesOf(broad);
    return [...this.#nodesOf(narrow)].every((node) => nodes.has(node));
  }

  /** Objects whose settings change. */
  #nodesOf(place: number): ReadonlySet<number> {
    return getOrMake(
      this.#changedNodes,
      place,
      () => new Set(this.repairs[place].change.properties.map(({ node }) => node)),
    );
  }

  #ofDomainOf(node: number, make: (domain: number) => number | undefined): number | undefined {
    const { of, nodes } = this.#context.use(environments);
    const domain = nodes[of[node]];
    return domain === undefined ? undefined : make(domain);
  }

  /** @returns the repair that keeps the Tier Zero account off all computers outside Tier Zero, including this one */
  ofSeparation(computer: number, account: number): number | undefined {
    if (this.#tierZero.has(computer) || !this.#tierZero.has(account)) return undefined;
    return this.#ofDomainOf(account, (domain) => this.#separateLogons(domain, SEVERAL));
  }

  /** @returns the repair that makes all computers of the domain sign, including this one */
  ofDomainSigning(computer: number): number | undefined {
    const all = this.#ofDomainOf(computer, (domain) =>
      this.ofNeed({ setting: 'domain-smb-signing', node: domain }, SEVERAL),
    );
    return all !== undefined && this.#nodesOf(all).has(computer) ? all : undefined;
  }

  /**
   * Prevents accounts of the domain's Tier Zero from logging on to computers outside Tier Zero.
   * @param least minimum number of sessions to end
   */
  #separateLogons(domain: number, least = 1): number | undefined {
    const id = `separate-logons ${objectIdOf(this.#context.graph, domain)}`;
    this.#strayLogons ??= this.#logonsOutside();
    const removed = this.#strayLogons.get(domain) ?? [];
    if (removed.length < least) return undefined;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const change = { removed, properties: [] };
    return this.#put({ id, kind: 'separate-logons', object: domain, edgeKinds: ['HasSession'], change });
  }

  /** Sessions of Tier Zero accounts on computers outside Tier Zero, by the domain of the account. */
  #logonsOutside(): ReadonlyMap<number, readonly EdgeRef[]> {
    const { of, nodes } = this.#context.use(environments);
    const found = new Map<number, EdgeRef[]>();
    this.#context.edges('HasSession').forEach((start, kind, end) => {
      const domain = nodes[of[end]];
      if (domain === undefined || !this.#tierZero.has(end) || this.#tierZero.has(start)) return;
      addTo(found, domain, { start, kind, end });
    });
    return found;
  }

  /** @param least minimum number of objects for a setting */
  ofNeed(need: Need, least = 1): number | undefined {
    if (!('setting' in need)) return this.#ofRelation(need);
    const { setting } = need;
    const node = isForestSetting(setting) ? this.#firstOfForest(need.node) : need.node;
    const id = `${setting} ${objectIdOf(this.#context.graph, node)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return this.repairs[known].change.properties.length < least ? undefined : known;
    const properties = settingChanges(this.#context, setting, node);
    if (properties.length < least) return undefined;
    return this.#put({ id, kind: setting, object: node, edgeKinds: [], change: { removed: [], properties } });
  }

  #ofRelation({ start, kind: name, end }: RelationNeed): number | undefined {
    const { graph } = this.#context;
    const kind = edgeNumberOf(graph, name);
    if (kind === undefined) return undefined;
    const number = findEdge(graph, start, kind, end);
    return number === NO_EDGE ? undefined : this.ofHeld({ start, kind, end }, graph.out.flags[number]);
  }

  /** Same as `ofNeed` for a relation with known flags. */
  ofHeld(edge: EdgeRef, flags: number): number | undefined {
    if (edge.kind !== EdgeKind.AdminTo || (flags & EdgeFlag.Derived) === 0) return this.ofEdge(edge, flags);
    const { start, end } = edge;
    const group = this.#context.use(localGroups).bySuffix(LocalGroup.administrators).get(end);
    return group === undefined
      ? undefined
      : this.#ofRelation({ start, kind: 'MemberOfLocalGroup', end: group });
  }

  /** A setting of all controllers of a forest applies to all of its domains: the first domain represents them. */
  #firstOfForest(domain: number): number {
    const known = this.#context.use(domains);
    if (!known.nodes.has(domain)) return domain;
    const forest = known.forestOf(domain);
    return (
      [...forest].find((other) => {
        const theirs = known.forestOf(other);
        return theirs.size === forest.size && theirs.andNot(forest).isEmpty;
      }) ?? domain
    );
  }

  /** Finds the repair that a record describes. @returns undefined if there is nothing to remove */
  find({ kind, object, principal, relations }: RepairKey): Repair | undefined {
    const place =
      principal !== undefined
        ? this.#ofRelations(kind, object, principal, relations)
        : kind === 'separate-logons'
          ? this.#separateLogons(object)
          : this.#ofSetting(kind, object);
    const found = place === undefined ? undefined : this.repairs[place];
    return found?.kind === kind ? found : undefined;
  }

  #ofSetting(kind: string, node: number): number | undefined {
    return isSetting(kind) ? this.ofNeed({ setting: kind, node }) : undefined;
  }

  #ofRelations(
    kind: string,
    object: number,
    principal: number,
    names: readonly string[],
  ): number | undefined {
    if (kind === 'remove-policy-member') {
      const cause = this.#context.use(policyMembers).find(object, principal, names);
      return cause && this.#ofPolicy(cause);
    }
    // A request for one computer gets this repair, even if a policy restores the member.
    if (kind === 'remove-local-member')
      return this.#ofEdgeAlone({ start: principal, kind: EdgeKind.MemberOfLocalGroup, end: object });
    const { graph } = this.#context;
    const isKnown = (name: string): name is EdgeKindName => edgeNumberOf(graph, name) !== undefined;
    if (names.length === 0 || !names.every(isKnown)) return undefined;
    const isAtStart =
      (AT_START.has(kind) && !names.includes('AllowedToAct')) || this.#isChangedAtStart(names);
    return isAtStart ? this.#relation(object, names, principal) : this.#relation(principal, names, object);
  }

  #relation(start: number, names: readonly EdgeKindName[], end: number): number | undefined {
    const [first, ...more] = names;
    if (more.length === 0) return this.#ofRelation({ start, kind: first, end });
    const { graph } = this.#context;
    const kind = this.#kindOf(first, end);
    const id = `${kind} ${objectIdOf(graph, start)} ${names.join('+')} ${objectIdOf(graph, end)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const edges = names
      .map((name) => ({ start, kind: edgeNumberOf(graph, name) as number, end }))
      .filter((edge) => findEdge(graph, start, edge.kind, end) !== NO_EDGE);
    if (edges.length === 0) return undefined;
    const isAtStart = (AT_START.has(kind) && first !== 'AllowedToAct') || this.#isChangedAtStart(names);
    const [object, principal] = isAtStart ? [start, end] : [end, start];
    const change = {
      removed: edges.map((edge) => collected(this.#context, edge)),
      properties: edges.flatMap((edge) => alongside(this.#context, edge)),
    };
    return this.#put({ id, kind, object, principal, edgeKinds: names, change });
  }

  /** Whether the change is made at the start, for kinds declared by a definition. */
  #isChangedAtStart(names: readonly string[]): boolean {
    const { graph } = this.#context;
    const kind = edgeNumberOf(graph, names[0] ?? '');
    return kind !== undefined && declaredRepair(graph, kind)?.isAtStart === true;
  }

  #kindOf(name: EdgeKindName, end: number): RepairKind {
    const known = KIND_OF_EDGE[name];
    if (known !== undefined && !(name === 'Enroll' && !this.#isTemplate(end))) return known;
    if (name === 'Owns') return 'change-owner';
    if (edgeKindById(EdgeKind[name])?.acl === true && !this.#derivedKinds.has(EdgeKind[name]))
      return this.#isTemplate(end) ? 'remove-enrollment' : 'remove-permission';
    return name === 'WriteOwner' ? 'remove-permission' : 'remove-relation';
  }

  #isTemplate(node: number): boolean {
    return this.#context.nodesOf('CertTemplate').has(node);
  }

  #put(repair: Repair): number {
    const place = this.repairs.push(repair) - 1;
    this.#places.set(repair.id, place);
    return place;
  }
}

/** Whether the setting is written to the controllers of all domains of a forest. */
const isForestSetting = (
  kind: string,
): kind is 'controllers-certificate-binding' | 'controllers-certificate-mapping' =>
  kind === 'controllers-certificate-binding' || kind === 'controllers-certificate-mapping';

const AT_START: ReadonlySet<string> = new Set<RepairKind>([
  'remove-delegation',
  'clear-sid-history',
  'keep-off',
  'unlink-policy',
]);

export const changeOf = (repairs: readonly Repair[]): FactsChange => ({
  removed: repairs.flatMap(({ change }) => change.removed),
  properties: withoutEach(repairs.flatMap(({ change }) => change.properties)),
});

/** Several repairs remove different values from one list: each writes the whole list, so the last would restore the values of the others. */
function withoutEach(all: readonly PropertyChange[]): readonly PropertyChange[] {
  const lists = new Map<string, PropertyChange>();
  const found: PropertyChange[] = [];
  for (const change of all) {
    const { node, key, value } = change;
    if (!Array.isArray(value)) {
      found.push(change);
      continue;
    }
    const before = lists.get(`${node} ${key}`)?.value;
    const left = Array.isArray(before) ? value.filter((one) => before.includes(one)) : value;
    lists.set(`${node} ${key}`, { node, key, value: left });
  }
  return lists.size === 0 ? all : [...found, ...lists.values()];
}

const keyOf = ({ start, kind, end }: EdgeRef): string => `${start} ${kind} ${end}`;

/** Skips relations that an earlier repair has removed, or that the change removes twice. */
export function withoutRepeated(
  { removed, properties }: FactsChange,
  before: readonly FactsChange[] = [],
): FactsChange {
  const gone = new Set(before.flatMap((change) => change.removed.map(keyOf)));
  return {
    properties,
    removed: removed.filter((edge) => {
      const isNew = !gone.has(keyOf(edge));
      gone.add(keyOf(edge));
      return isNew;
    }),
  };
}
