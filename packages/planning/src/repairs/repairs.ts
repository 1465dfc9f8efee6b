/** All repairs of a directory, each once. Rule: `docs/plan.md#repairs`. */
import type { AnalysisContext, EdgeRef, Need, RelationNeed } from '@clew/analysis';
import { domains, edgeNumberOf, environments, LocalGroup, localGroups, RULES } from '@clew/analysis';
import { addTo, findEdge, getOrMake, NO_EDGE, NodeSet, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import { declaredRepair, isDerivedByDefinition } from './declaredRepairs.ts';
import { logonGroupFinder } from './logonGroups.ts';
import { type PolicyMember, policyMembers } from './policyMembers.ts';
import { alongside, collected, RelationRepair } from './relationRepair.ts';
import type { Repair, RepairKey } from './repair.ts';
import { AT_START, FIXED, KIND_OF_EDGE, type RepairKind } from './repairKinds.ts';
import { isSetting, settingChanges } from './settings.ts';

/** Edge kinds that rules derive. */
export const ruleKinds = (): ReadonlySet<number> =>
  new Set(RULES.flatMap(({ produces }) => produces.map((kind) => EdgeKind[kind])));

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
  readonly #isLogonGroup: (group: number) => boolean;
  #strayLogons: ReadonlyMap<number, readonly EdgeRef[]> | undefined;

  /**
   * @param derivedKinds kinds that rules derive; only removing the facts behind them counts
   * @param tierZero members of Tier Zero; without it, logons are repaired one by one
   */
  constructor(context: AnalysisContext, derivedKinds: ReadonlySet<number>, tierZero?: NodeSet) {
    this.#context = context;
    this.#derivedKinds = derivedKinds;
    this.#isLogonGroup = logonGroupFinder(context.graph);
    this.#tierZero = tierZero ?? NodeSet.empty(context.graph.nodeCount);
  }

  /**
   * Whether no change removes such an edge: Windows determines it at logon, or it is a primary group, which accounts cannot
   * leave.
   */
  isFixed(kind: number, end: number, flags: number): boolean {
    if (kind === EdgeKind.MemberOf)
      return (flags & (EdgeFlag.Derived | EdgeFlag.PrimaryGroup)) !== 0 || this.#isLogonGroup(end);
    const name = edgeKindById(kind)?.name;
    if (name === undefined) return isDerivedByDefinition(this.#context.graph, kind, flags);
    return FIXED.has(name as EdgeKindName);
  }

  /** @returns the number of the repair; undefined if the relation cannot be removed */
  ofEdge(edge: EdgeRef, flags: number): number | undefined {
    if (this.isFixed(edge.kind, edge.end, flags)) return undefined;
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
