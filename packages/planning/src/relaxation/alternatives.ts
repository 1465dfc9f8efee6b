/**
 * Expresses in labels how nodes hold a right directly or through memberships. Each alternative is a set of repairs, any of which removes
 * it; the right is lost when all alternatives are removed.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import {
  type AnalysisContext,
  type HeldRight,
  type MembershipRows,
  membership,
  membershipRows,
  specialGroups,
  type VisitNeighbor,
} from '@clew/analysis';
import { getOrMake, NodeSet } from '@clew/graph';
import { EXCEPTIONS } from './exceptions.ts';
import { HolderSets } from './holderSets.ts';
import { type Labels, NONE, type StepLabels, united } from './stepLabels.ts';

/** One alternative without labels: the right is permanent. */
export const PERMANENT: readonly Labels[] = [NONE];
/** Maximum number of steps to examine on paths from one node to all holders; beyond it, memberships count as permanent. */
const MAX_STEPS = EXCEPTIONS['long-memberships'].limit;
/** Maximum number of members to examine one by one. */
const MAX_REMOVABLE = EXCEPTIONS['many-coerced'].limit;
/** Maximum number of alternatives to check for redundancy. */
const MAX_COMPARED = 64;
/** Maximum number of memberships of a node to examine completely. */
const FEW_MEMBERSHIPS = 16;

/** `removable`: removable memberships have labels. */
export type Memberships = 'removable' | 'permanent';

/** A right with its direct holders. */
export interface Held {
  /** Equal for rights with the same holders. */
  readonly key: string;
  readonly right: HeldRight;
  /** Labels of each relation, by its holder. */
  readonly holders: ReadonlyMap<number, readonly Labels[]>;
  /** Holders and their members, except members only through special groups. */
  readonly below: NodeSet;
  /** Alternatives through which all principals hold the right. */
  readonly everybody: readonly Labels[];
  /** Whether no relation that gives the right can be removed. */
  readonly isPermanent: boolean;
}

/** Direct holders of a right, and nodes that may hold it through groups. */
type HeldDirectly = Pick<Held, 'holders' | 'below'>;

/** Looks up members lazily, because most rights on many thousands of hosts never need them. */
class LazilyHeld implements Held {
  readonly key: string;
  readonly right: HeldRight;
  readonly holders: Held['holders'];
  readonly isPermanent: boolean;
  readonly #findBelow: () => NodeSet;
  readonly #findEverybody: (held: Held) => readonly Labels[];
  #below: NodeSet | undefined;
  #everybody: readonly Labels[] | undefined;

  constructor(
    { key, right, holders }: Pick<Held, 'key' | 'right' | 'holders'>,
    findBelow: () => NodeSet,
    findEverybody: (held: Held) => readonly Labels[],
  ) {
    this.key = key;
    this.right = right;
    this.holders = holders;
    const isPermanent = (own: readonly Labels[]): boolean => own.some(({ length }) => length === 0);
    // All principals are direct members through a membership that may be removable.
    this.isPermanent = right.everybody !== 'direct' && [...holders.values()].every(isPermanent);
    this.#findBelow = findBelow;
    this.#findEverybody = findEverybody;
  }

  get below(): NodeSet {
    this.#below ??= this.#findBelow();
    return this.#below;
  }

  get everybody(): readonly Labels[] {
    this.#everybody ??= this.#findEverybody(this);
    return this.#everybody;
  }
}

export class Alternatives {
  readonly #context: AnalysisContext;
  readonly #labels: StepLabels;
  readonly #held = new Map<string, Held>();
  readonly #belows = new Map<string, NodeSet>();
  readonly #holderSets = new Map<string, HolderSets>();
  readonly #groups = new Map<Held['holders'], readonly number[]>();
  /** Keyed by the number of the set of holders that a node reaches. */
  readonly #permanent = new Map<Held, Map<number, readonly Labels[]>>();

  constructor(context: AnalysisContext, labels: StepLabels) {
    this.#context = context;
    this.#labels = labels;
  }

  held(right: HeldRight): Held {
    const key = `${right.node} ${right.everybody} ${right.kinds.join()}`;
    return getOrMake(this.#held, key, () => this.#find(right));
  }

  #find(right: HeldRight): Held {
    const { node, kinds, among } = right;
    const holders = new Map<number, Labels[]>();
    this.#context.edges(...kinds).into(node, (holder, kind, flags) => {
      if (holder === node || (among !== undefined && !among.has(holder))) return;
      const labels = this.#labels.ofHeld(holder, kind, node, flags);
      const known = holders.get(holder);
      if (known === undefined) holders.set(holder, [labels]);
      else if (!known.some((other) => other.join() === labels.join())) known.push(labels);
    });
    const key = `${right.everybody} ${[...holders.keys()].sort((a, b) => a - b).join()}`;
    const below = () => this.#below(key, holders, right);
    return new LazilyHeld({ key, right, holders }, below, (held) => this.#everybodysAlternatives(held));
  }

  /** Memo per set of holders: there are far fewer sets than templates and authorities. */
  #below(key: string, holders: Held['holders'], { everybody }: HeldRight): NodeSet {
    return getOrMake(this.#belows, key, () => {
      const { all } = this.#context.use(specialGroups);
      const own = [...holders.keys()].filter((holder) => everybody === 'no' || !all.has(holder));
      return this.#context.use(membership).expand(NodeSet.of(this.#context.graph.nodeCount, own));
    });
  }

  #everybodysAlternatives(held: Held): readonly Labels[] {
    const { holders, right } = held;
    if (right.everybody === 'no') return [];
    const { all } = this.#context.use(specialGroups);
    const found: Labels[] = [];
    for (const special of all) {
      if (right.everybody === 'nested') found.push(...this.#over(special, held));
      else {
        found.push(...(holders.get(special) ?? []));
        this.#members.outOf(special, (group, kind, flags) => {
          const step = this.#labels.ofEdge(special, kind, group, flags);
          for (const labels of holders.get(group) ?? []) found.push(united(step, labels));
        });
      }
    }
    return needed(found);
  }

  /**
   * @param memberships `permanent`: treats all memberships as permanent
   * @returns alternatives by which the node holds the right; empty if it does not
   */
  of(node: number, held: Held, memberships: Memberships = this.memberships): readonly Labels[] {
    const { everybody, below } = held;
    if (everybody === PERMANENT || !(below.has(node) || held.holders.has(node))) return everybody;
    if (memberships === 'removable') return needed([...everybody, ...this.#over(node, held)]);
    const known = getOrMake(this.#permanent, held, () => new Map());
    const number = this.holderSets(held).numberOf(node);
    return getOrMake(known, number, () => {
      const holders = this.holderSets(held).holdersOf(number);
      return needed([...everybody, ...holders.flatMap((holder) => held.holders.get(holder) ?? [])]);
    });
  }

  /** @returns alternatives by which the node itself holds the right, without those of all principals; empty if it does not */
  own(node: number, held: Held, memberships: Memberships = this.memberships): readonly Labels[] {
    if (!(held.below.has(node) || held.holders.has(node))) return [];
    if (memberships === 'removable') return this.#over(node, held);
    const sets = this.holderSets(held);
    const holders = sets.holdersOf(sets.numberOf(node));
    return needed(holders.flatMap((holder) => held.holders.get(holder) ?? []));
  }

  get #members(): MembershipRows {
    return this.#context.use(membershipRows);
  }

  get memberships(): Memberships {
    return this.#labels.hasMemberships ? 'removable' : 'permanent';
  }

  /** Shared by rights with the same holders. */
  holderSets({ key, holders, below }: Held): HolderSets {
    return getOrMake(
      this.#holderSets,
      key,
      () => new HolderSets(this.#context.use(membership).containerRows, holders, below),
    );
  }

  /** @returns alternatives by which at least one of the nodes holds the right */
  ofSomeone(nodes: NodeSet, except: number, held: Held): readonly Labels[] {
    const members = this.#context.use(membership);
    const found: Labels[] = [];
    for (const [holder, own] of held.holders) {
      if (!members.groups.has(holder)) {
        if (nodes.has(holder) && holder !== except) found.push(...own);
        continue;
      }
      const inside = members.membersOf(holder).and(nodes).without(except);
      if (inside.size > MAX_REMOVABLE) {
        if (this.#labels.hasMemberships) this.#labels.exceptions.note('many-coerced', holder);
        found.push(...own);
      } else {
        const direct = { holders: new Map([[holder, own]]), below: held.below };
        for (const node of inside) found.push(...this.#over(node, direct));
      }
    }
    return needed(found);
  }

  /** Finds alternatives through memberships in holders. */
  #over(from: number, held: HeldDirectly): readonly Labels[] {
    const { holders } = held;
    const found: Labels[] = [];
    if (!this.#labels.hasMemberships) return this.#overPermanent(from, held);
    let steps = 0;
    const path = new Set<number>();
    const visit = (node: number, labels: Labels): void => {
      if (steps++ > MAX_STEPS) return;
      for (const own of holders.get(node) ?? []) found.push(united(labels, own));
      path.add(node);
      this.#onward(node, held, (group, kind, flags) => {
        if (path.has(group)) return;
        visit(group, united(labels, this.#labels.ofEdge(node, kind, group, flags)));
      });
      path.delete(node);
    };
    visit(from, NONE);
    if (steps <= MAX_STEPS) return needed(found);
    this.#labels.exceptions.note('long-memberships', from);
    return this.#overPermanent(from, held);
  }

  /** Finds alternatives, treating all memberships as permanent. */
  #overPermanent(from: number, held: HeldDirectly): readonly Labels[] {
    const seen = new Set([from]);
    const found: Labels[] = [];
    for (const node of seen) {
      found.push(...(held.holders.get(node) ?? []));
      this.#onward(node, held, (group) => seen.add(group));
    }
    return needed(found);
  }

  /** Visits holders and groups below them of which the node is a member. */
  #onward(node: number, held: HeldDirectly, visit: VisitNeighbor): void {
    const { holders, below } = held;
    const rows = this.#members;
    const count = rows.count(node);
    if (count > FEW_MEMBERSHIPS) {
      const groups = this.#groupsOf(held);
      if (groups.length < count / FEW_MEMBERSHIPS) {
        for (const group of groups) rows.between(node, group, visit);
        return;
      }
    }
    rows.outOf(node, (group, kind, flags) => {
      if (below.has(group) || holders.has(group)) visit(group, kind, flags);
    });
  }

  /** Holders, and groups that are members of one. */
  #groupsOf({ holders, below }: HeldDirectly): readonly number[] {
    let groups = this.#groups.get(holders);
    if (groups === undefined) {
      const { nodeCount } = this.#context.graph;
      const all = below.and(this.#context.use(membership).groups).or(NodeSet.of(nodeCount, holders.keys()));
      groups = [...all];
      this.#groups.set(holders, groups);
    }
    return groups;
  }
}

/** Drops redundant alternatives: a superset of another alternative adds nothing. */
export function needed(all: readonly Labels[]): readonly Labels[] {
  if (all.some(({ length }) => length === 0)) return PERMANENT;
  if (all.length < 2) return all;
  const each = [...new Map(all.map((labels) => [labels.join(), labels])).values()];
  if (each.length > MAX_COMPARED) return each;
  const isPart = (a: Labels, b: Labels): boolean =>
    a.length < b.length && a.every((label) => b.includes(label));
  return each.filter((labels) => !each.some((other) => isPart(other, labels)));
}
