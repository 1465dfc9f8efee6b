/**
 * Repairs: what one change in the directory takes away. A finding says what is wrong; a repair says what to do about it,
 * and one repair may close many findings.
 *
 * Rule: `docs/plan.md#repairs`.
 */
import { NodeSet, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { EdgeRef } from '../edgeRef.ts';
import { environments } from '../findings/environments.ts';
import { RULES } from '../rules.ts';
import type { Need, SettingName } from '../ways.ts';
import { isSetting, type PropertyChange, settingChanges } from './settings.ts';

export type RepairKind =
  | SettingName
  | 'remove-permission'
  | 'change-owner'
  | 'remove-enrolment'
  | 'unpublish-template'
  | 'remove-member'
  | 'remove-local-member'
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
  | 'unsynchronise'
  | 'remove-relation';

/**
 * What a repair costs, in steps of effort and risk: a flag is changed in minutes, a membership that work may depend on is
 * looked into first. Operators may set others.
 */
export const DEFAULT_COSTS: Readonly<Record<RepairKind, number>> = {
  'template-subject': 1,
  'template-approval': 2,
  'template-security-extension': 1,
  'authority-san-flag': 1,
  'authority-web-enrolment': 1,
  'authority-extensions': 1,
  'controllers-certificate-binding': 2,
  'controllers-certificate-mapping': 2,
  'controllers-ldap-signing': 2,
  'controllers-channel-binding': 2,
  'computer-smb-signing': 1,
  'domain-smb-signing': 3,
  'remove-permission': 1,
  'change-owner': 1,
  'remove-enrolment': 1,
  'unpublish-template': 2,
  'remove-member': 2,
  'remove-local-member': 1,
  'remove-logon-right': 1,
  'keep-off': 3,
  'separate-logons': 4,
  'unlink-policy': 2,
  'move-object': 3,
  'remove-delegation': 2,
  'clear-sid-history': 2,
  'filter-trust': 3,
  'protect-host': 4,
  'remove-role': 2,
  unsynchronise: 4,
  'remove-relation': 4,
};

/** What changes in the facts. */
export interface FactsChange {
  readonly removed: readonly EdgeRef[];
  readonly properties: readonly PropertyChange[];
}

export interface Repair {
  /** The same in each generation: kind and object ids. */
  readonly id: string;
  readonly kind: RepairKind;
  /** What is changed. */
  readonly object: number;
  /** Whom something is taken from. */
  readonly principal?: number;
  /** Relations that go. */
  readonly edgeKinds: readonly EdgeKindName[];
  readonly change: FactsChange;
}

/** Kinds of relations by the repair that takes them away; those of access lists are permissions. */
const KIND_OF_EDGE: Readonly<Partial<Record<EdgeKindName, RepairKind>>> = {
  MemberOf: 'remove-member',
  AZMemberOf: 'remove-member',
  MemberOfLocalGroup: 'remove-local-member',
  RemoteInteractiveLogonRight: 'remove-logon-right',
  HasSession: 'keep-off',
  GPLink: 'unlink-policy',
  Contains: 'move-object',
  AZContains: 'move-object',
  AllowedToDelegate: 'remove-delegation',
  AllowedToAct: 'remove-delegation',
  CoerceToTGT: 'remove-delegation',
  HasSIDHistory: 'clear-sid-history',
  SpoofSIDHistory: 'filter-trust',
  AbuseTGTDelegation: 'filter-trust',
  GoldenCert: 'protect-host',
  DumpSMSAPassword: 'protect-host',
  PublishedTo: 'unpublish-template',
  Enroll: 'remove-enrolment',
  AZHasRole: 'remove-role',
  AZRoleEligible: 'remove-role',
  AZGlobalAdmin: 'remove-role',
  AZPrivilegedRoleAdmin: 'remove-role',
  AZPrivilegedAuthAdmin: 'remove-role',
  SyncedToADUser: 'unsynchronise',
  SyncedToEntraUser: 'unsynchronise',
};

/** What Windows makes so, or what nothing but a rebuild changes. */
const FIXED: ReadonlySet<EdgeKindName> = new Set([
  ...(['ClaimSpecialIdentity', 'DCFor', 'SameForestTrust', 'HasTrustKeys', 'LocalToComputer'] as const),
  ...(['ContainsIdentity', 'PropagatesACEsTo', 'GPOAppliesTo', 'CanApplyGPO'] as const),
]);

/** Relations that are collected under another name than they are walked by. */
const COLLECTED_AS: Readonly<Partial<Record<EdgeKindName, EdgeKindName>>> = {
  Owns: 'OwnsRaw',
  WriteOwner: 'WriteOwnerRaw',
};

export interface RepairKey {
  /** A `RepairKind`, or what someone took for one. */
  readonly kind: string;
  readonly object: number;
  readonly principal?: number;
  /** Names of edge kinds, as in `Repair.edgeKinds`. */
  readonly relations: readonly string[];
}

/** Kinds of edges that rules make. */
export const ruleKinds = (): ReadonlySet<number> =>
  new Set(RULES.flatMap(({ produces }) => produces.map((kind) => EdgeKind[kind])));

/** All repairs that came up, each once, numbered in the order in which they did. */
export class RepairCatalogue {
  readonly repairs: Repair[] = [];
  readonly #context: AnalysisContext;
  readonly #places = new Map<string, number>();
  readonly #derivedKinds: ReadonlySet<number>;
  readonly #tierZero: NodeSet;
  #strayLogons: ReadonlyMap<number, readonly EdgeRef[]> | undefined;

  /**
   * @param derivedKinds kinds that rules make, so that taking away the facts behind them is what counts
   * @param tierZero its members; without them logons are repaired one by one
   */
  constructor(context: AnalysisContext, derivedKinds: ReadonlySet<number>, tierZero?: NodeSet) {
    this.#context = context;
    this.#derivedKinds = derivedKinds;
    this.#tierZero = tierZero ?? NodeSet.empty(context.graph.nodeCount);
  }

  /** Nothing takes such an edge away. */
  isFixed(kind: number, flags: number): boolean {
    const name = edgeKindById(kind)?.name;
    // Memberships that Windows works out at logon.
    const isWorkedOut = name === 'MemberOf' && (flags & EdgeFlag.Derived) !== 0;
    return name !== undefined && (FIXED.has(name as EdgeKindName) || isWorkedOut);
  }

  /** @returns the number of the repair; nothing for what cannot be taken away */
  ofEdge({ start, kind, end }: EdgeRef, flags: number): number | undefined {
    if (this.isFixed(kind, flags)) return undefined;
    const name = edgeKindById(kind)?.name;
    return name === undefined
      ? this.#add('remove-relation', [{ start, kind, end }], [])
      : this.#relation(start, [name as EdgeKindName], end);
  }

  /**
   * A change of a whole domain that does what this repair does, and the same at every other object: one policy in place of
   * hundreds of repairs. @returns nothing where it would change no more than the repair alone
   */
  broaderThan(place: number): number | undefined {
    const { kind, object, principal } = this.repairs[place];
    const broader =
      kind === 'computer-smb-signing'
        ? this.#ofDomainOf(object, (domain) => this.ofNeed({ setting: 'domain-smb-signing', node: domain }))
        : kind === 'keep-off' && principal !== undefined && !this.#tierZero.has(object)
          ? this.#ofDomainOf(principal, (domain) => this.#separateLogons(domain))
          : undefined;
    if (broader === undefined) return undefined;
    const { removed, properties } = this.repairs[broader].change;
    return removed.length + properties.length > 1 ? broader : undefined;
  }

  #ofDomainOf(node: number, make: (domain: number) => number | undefined): number | undefined {
    const { of, nodes } = this.#context.use(environments);
    const domain = nodes[of[node]];
    return domain === undefined ? undefined : make(domain);
  }

  /** Accounts of Tier Zero of the domain no longer log on to computers outside it. */
  #separateLogons(domain: number): number | undefined {
    const id = `separate-logons ${objectIdOf(this.#context.graph, domain)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    this.#strayLogons ??= this.#logonsOutside();
    const removed = this.#strayLogons.get(domain) ?? [];
    if (removed.length === 0) return undefined;
    const change = { removed, properties: [] };
    return this.#put({ id, kind: 'separate-logons', object: domain, edgeKinds: ['HasSession'], change });
  }

  /** Sessions of accounts of Tier Zero on computers outside it, by the domain of the account. */
  #logonsOutside(): ReadonlyMap<number, readonly EdgeRef[]> {
    const { of, nodes } = this.#context.use(environments);
    const found = new Map<number, EdgeRef[]>();
    this.#context.edges('HasSession').forEach((start, kind, end) => {
      const domain = nodes[of[end]];
      if (domain === undefined || !this.#tierZero.has(end) || this.#tierZero.has(start)) return;
      const known = found.get(domain);
      if (known === undefined) found.set(domain, [{ start, kind, end }]);
      else known.push({ start, kind, end });
    });
    return found;
  }

  ofNeed(need: Need): number | undefined {
    if (!('setting' in need)) return this.#relation(need.start, need.kinds, need.end);
    const { setting, node } = need;
    const id = `${setting} ${objectIdOf(this.#context.graph, node)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const properties = settingChanges(this.#context, setting, node);
    if (properties.length === 0) return undefined;
    return this.#put({ id, kind: setting, object: node, edgeKinds: [], change: { removed: [], properties } });
  }

  /** The repair that a record of it names. @returns nothing when there is nothing to take away */
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
    const isKnown = (name: string): name is EdgeKindName => Object.hasOwn(EdgeKind, name);
    if (names.length === 0 || !names.every(isKnown)) return undefined;
    const isAtStart = AT_START.has(kind) && !names.includes('AllowedToAct');
    return isAtStart ? this.#relation(object, names, principal) : this.#relation(principal, names, object);
  }

  #relation(start: number, names: readonly EdgeKindName[], end: number): number | undefined {
    const { graph } = this.#context;
    const [first] = names;
    const kind = this.#kindOf(first, end);
    const id = `${kind} ${objectIdOf(graph, start)} ${names.join('+')} ${objectIdOf(graph, end)}`;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const removed = names
      .map((name) => ({ start, kind: EdgeKind[COLLECTED_AS[name] ?? name], end }))
      .filter(
        (edge) =>
          this.#context.edges(edgeKindById(edge.kind)!.name as EdgeKindName).kindsBetween(start, end).length >
          0,
      );
    return this.#add(kind, removed, names, id);
  }

  #kindOf(name: EdgeKindName, end: number): RepairKind {
    const known = KIND_OF_EDGE[name];
    if (known !== undefined && !(name === 'Enroll' && !this.#isTemplate(end))) return known;
    if (name === 'Owns') return 'change-owner';
    if (edgeKindById(EdgeKind[name])?.acl === true && !this.#derivedKinds.has(EdgeKind[name]))
      return this.#isTemplate(end) ? 'remove-enrolment' : 'remove-permission';
    return name === 'WriteOwner' ? 'remove-permission' : 'remove-relation';
  }

  #isTemplate(node: number): boolean {
    return this.#context.nodesOf('CertTemplate').has(node);
  }

  #add(
    kind: RepairKind,
    removed: readonly EdgeRef[],
    edgeKinds: readonly EdgeKindName[],
    id?: string,
  ): number | undefined {
    const [edge] = removed;
    if (edge === undefined) return undefined;
    const { start, end } = edge;
    const { graph } = this.#context;
    const own = id ?? `${kind} ${objectIdOf(graph, start)} ${edge.kind} ${objectIdOf(graph, end)}`;
    const known = this.#places.get(own);
    if (known !== undefined) return known;
    const properties = this.#alongside(kind, edge);
    // What is set at the start is changed there.
    const isAtStart = AT_START.has(kind) && !(edge.kind === EdgeKind.AllowedToAct);
    const [object, principal] = isAtStart ? [start, end] : [end, start];
    return this.#put({ id: own, kind, object, principal, edgeKinds, change: { removed, properties } });
  }

  /** Settings that stand behind a relation, and go with it. */
  #alongside(kind: RepairKind, { start, kind: edge }: EdgeRef): PropertyChange[] {
    if (kind === 'remove-delegation' && edge === EdgeKind.CoerceToTGT)
      return [{ node: start, key: 'unconstraineddelegation', value: false }];
    return [];
  }

  #put(repair: Repair): number {
    const place = this.repairs.push(repair) - 1;
    this.#places.set(repair.id, place);
    return place;
  }
}

const AT_START: ReadonlySet<string> = new Set<RepairKind>([
  'remove-delegation',
  'clear-sid-history',
  'keep-off',
  'unlink-policy',
]);

export const changeOf = (repairs: readonly Repair[]): FactsChange => ({
  removed: repairs.flatMap(({ change }) => change.removed),
  properties: repairs.flatMap(({ change }) => change.properties),
});
