/**
 * Finds the starts of ways that need several rights, each held directly or through a group: direct holders, and members that combine the
 * rights of two groups. All other starts act through their groups. If a holder loses its right, members that hold the right otherwise
 * become starts; they are already in this set.
 */
import { type AnalysisContext, type HeldRight, membership } from '@clew/analysis';
import { getOrMake, ListNumbers, NodeSet } from '@clew/graph';
import { type Alternatives, type Held, type Memberships, needed, PERMANENT } from './alternatives.ts';
import { EXCEPTIONS, type Exceptions } from './exceptions.ts';
import type { Labels } from './stepLabels.ts';

/** If more members combine rights, their memberships count as permanent: removing a few of them would change little. */
const MAX_REMOVABLE = EXCEPTIONS['many-combine'].limit;
/** Minimum number of members at which groups are looked up in a bitmap. */
const MIN_FOR_BITMAP = 1_000;

/** Starts with the same alternatives for each right. */
export interface StartGroup {
  /** The same array instance for equal questions. */
  readonly starts: readonly number[];
  readonly rights: readonly (readonly Labels[])[];
}

export class QualifiedStarts {
  readonly #context: AnalysisContext;
  readonly #alternatives: Alternatives;
  readonly #exceptions: Exceptions;
  readonly #meetings = new Map<string, Meetings>();

  constructor(context: AnalysisContext, alternatives: Alternatives, exceptions: Exceptions) {
    this.#context = context;
    this.#exceptions = exceptions;
    this.#alternatives = alternatives;
  }

  /** @param derived starts without changes; if all of them hold these rights permanently, no other node becomes a start */
  of(rights: readonly HeldRight[], except: NodeSet | undefined, derived: Iterable<number>): StartGroup[] {
    const held = rights.map((right) => this.#alternatives.held(right));
    if (this.#alternatives.memberships === 'permanent' && held.every(({ isPermanent }) => isPermanent))
      return [{ starts: [...derived], rights: [] }];
    const direct = new Set(held.flatMap(({ holders }) => [...holders.keys()]));
    const { nodes, classes } = this.#meetingsOf(held);
    const starts = [...direct].filter((node) => except?.has(node) !== true);
    if (classes === undefined)
      for (const node of nodes) if (!direct.has(node) && except?.has(node) !== true) starts.push(node);
    const groups = grouped(starts, (node) => this.#rightsOfStart(node, held));
    for (const one of classes ?? []) {
      const rights = this.#rightsOfStart(one.nodes[0], held, 'permanent');
      if (rights === undefined) continue;
      const left = one.without(direct, except);
      if (left.length > 0) groups.push({ starts: left, rights });
    }
    return groups;
  }

  /** @returns alternatives per right; undefined if the node lacks a right */
  rightsOf(
    node: number,
    held: readonly Held[],
    memberships?: Memberships,
  ): (readonly Labels[])[] | undefined {
    const found: (readonly Labels[])[] = [];
    for (const each of held) {
      const alternatives = this.#alternatives.of(node, each, memberships);
      if (alternatives.length === 0) return undefined;
      if (alternatives !== PERMANENT) found.push(alternatives);
    }
    return found;
  }

  /**
   * If all principals hold all of the rights, a start holds one of them itself; for all other nodes, the group of all principals
   * is the start.
   */
  #rightsOfStart(
    node: number,
    held: readonly Held[],
    memberships?: Memberships,
  ): (readonly Labels[])[] | undefined {
    const rights = this.rightsOf(node, held, memberships);
    if (rights === undefined || held.some(({ everybody }) => everybody.length === 0)) return rights;
    const own = needed(held.flatMap((each) => this.#alternatives.own(node, each, memberships)));
    if (own.length === 0) return undefined;
    return own === PERMANENT ? rights : [...rights, own];
  }

  /** Members of holders of two rights through different groups. */
  #meetingsOf(held: readonly Held[]): Meetings {
    const open = held.filter(({ everybody }) => everybody !== PERMANENT);
    const sets = [...new Map(open.map((each) => [each.key, each])).values()];
    const key = sets.map((each) => each.key).join(';');
    return getOrMake(this.#meetings, key, () => {
      const nodes = this.#findMeetings(open, sets);
      const isPermanent = this.#alternatives.memberships === 'permanent';
      const isWide = isPermanent || nodes.length > MAX_REMOVABLE;
      if (isWide && !isPermanent) for (const node of nodes) this.#exceptions.note('many-combine', node);
      return { nodes, ...(isWide && { classes: this.#classes(nodes, sets) }) };
    });
  }

  /** Classes of nodes that reach the same holders of each right. */
  #classes(nodes: readonly number[], sets: readonly Held[]): MeetingClass[] {
    const all = sets.map((each) => this.#alternatives.holderSets(each));
    const numbers = new ListNumbers();
    const found: number[][] = [];
    for (const node of nodes) {
      const number = numbers.numberOf(all.map((each) => each.numberOf(node)));
      if (number === found.length) found.push([node]);
      else found[number].push(node);
    }
    return found.map((own) => new MeetingClass(this.#context.graph.nodeCount, own));
  }

  #findMeetings(held: readonly Held[], sets: readonly Held[]): number[] {
    let common = NodeSet.empty(this.#context.graph.nodeCount);
    if (held.length < 2) return [];
    // Rights with the same holders are also combined: a member of two holders may have one right from each.
    for (const [at, one] of sets.entries()) {
      for (const other of sets.slice(at + 1)) common = common.or(one.below.and(other.below));
      if (one.holders.size > 1 && held.filter(({ key }) => key === one.key).length > 1)
        common = common.or(one.below);
    }
    for (const { below, everybody } of sets) if (everybody.length === 0) common = common.and(below);
    if (common.isEmpty) return [];
    const leads = this.#leadingTo(sets, common.size);
    const { offsets, targets } = this.#context.use(membership).containerRows;
    const isMemberOfTwo = (node: number): boolean => {
      let groups = 0;
      for (let at = offsets[node]; at < offsets[node + 1] && groups < 2; at++)
        if (leads(targets[at])) groups++;
      return groups > 1;
    };
    return [...common.filter(isMemberOfTwo)];
  }

  /** @param asked number of nodes whose groups are tested @returns whether a node is a holder or leads to one */
  #leadingTo(sets: readonly Held[], asked: number): (node: number) => boolean {
    // For few nodes, building a bitmap costs more than testing them, and thousands of hosts have such rights.
    if (asked < MIN_FOR_BITMAP)
      return (node) => sets.some(({ below, holders }) => holders.has(node) || below.has(node));
    const { nodeCount } = this.#context.graph;
    const all = sets.flatMap(({ below, holders }) => [below, NodeSet.of(nodeCount, [...holders.keys()])]);
    const words = NodeSet.union(nodeCount, all).bitmap();
    return (node) => ((words[node >>> 5] >>> (node & 31)) & 1) === 1;
  }
}

/** Nodes that reach the same holders of each right. */
class MeetingClass {
  readonly nodes: readonly number[];
  readonly #set: NodeSet;
  /** Memo of the class without some nodes, shared by all ways, because each list becomes a node of the graph. */
  readonly #left = new Map<NodeSet | undefined, Map<string, readonly number[]>>();

  constructor(nodeCount: number, nodes: readonly number[]) {
    this.nodes = nodes;
    this.#set = NodeSet.of(nodeCount, nodes);
  }

  /** @returns the same array for the same nodes */
  without(direct: ReadonlySet<number>, except: NodeSet | undefined): readonly number[] {
    const own = [...direct].filter((node) => this.#set.has(node)).sort((a, b) => a - b);
    const known = getOrMake(this.#left, except, () => new Map());
    const key = own.join();
    return getOrMake(known, key, () => {
      const isWhole = own.length === 0 && except?.intersects(this.#set) !== true;
      return isWhole
        ? this.nodes
        : this.nodes.filter((node) => !direct.has(node) && except?.has(node) !== true);
    });
  }
}

/** Members that combine the rights of two groups. */
interface Meetings {
  readonly nodes: readonly number[];
  /** Members grouped by alternatives, if no membership has labels. */
  readonly classes?: readonly MeetingClass[];
}

/** Groups nodes by alternatives. */
export function grouped(
  nodes: Iterable<number>,
  rightsOf: (node: number) => readonly (readonly Labels[])[] | undefined,
): StartGroup[] {
  const groups: { starts: number[]; rights: readonly (readonly Labels[])[] }[] = [];
  const numbers = new ListNumbers();
  const contents = new ListNumbers();
  /** Numbers of known lists: most nodes share lists. */
  const known = new Map<readonly Labels[], number>();
  const numberOf = (alternatives: readonly Labels[]): number => {
    return getOrMake(known, alternatives, () =>
      contents.numberOf(alternatives.flatMap((labels) => [labels.length, ...labels])),
    );
  };
  for (const node of nodes) {
    const rights = rightsOf(node);
    if (rights === undefined) continue;
    const number = numbers.numberOf(rights.map(numberOf));
    if (number === groups.length) groups.push({ starts: [node], rights });
    else groups[number].starts.push(node);
  }
  return groups;
}
