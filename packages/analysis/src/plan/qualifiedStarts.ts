/**
 * Who may start where several rights are needed, each held through any group: direct holders, and members in whom what two
 * groups give comes together. All others come by what they are members of. Where a holder loses its right, those who hold it
 * otherwise come up: they are among these starts already.
 */
import { NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { HeldRight } from '../ways.ts';
import { type Alternatives, FOR_GOOD, type Held, type Memberships } from './alternatives.ts';
import type { Labels } from './stepLabels.ts';

/** Where more come together, what each is a member of counts as there for good: no few of these memberships change much. */
const MAX_NAMED = 10_000;

/** Starts with the same alternatives of each right. */
export interface StartGroup {
  /** The same list for each question that has it. */
  readonly starts: readonly number[];
  readonly rights: readonly (readonly Labels[])[];
}

export class QualifiedStarts {
  readonly #context: AnalysisContext;
  readonly #alternatives: Alternatives;
  readonly #meetings = new Map<string, Meetings>();
  readonly #members: ReturnType<AnalysisContext['edges']>;

  constructor(context: AnalysisContext, alternatives: Alternatives) {
    this.#context = context;
    this.#alternatives = alternatives;
    this.#members = context.edges('MemberOf', 'MemberOfLocalGroup');
  }

  of(rights: readonly HeldRight[], except: NodeSet | undefined): StartGroup[] {
    const held = rights.map((right) => this.#alternatives.held(right));
    const direct = new Set(held.flatMap(({ holders }) => [...holders.keys()]));
    const { nodes, classes } = this.#meetingsOf(held);
    const starts = [...direct].filter((node) => except?.has(node) !== true);
    if (classes === undefined)
      for (const node of nodes) if (!direct.has(node) && except?.has(node) !== true) starts.push(node);
    const groups = grouped(starts, (node) => this.rightsOf(node, held));
    for (const one of classes ?? []) {
      const rights = this.rightsOf(one[0], held, 'for good');
      if (rights === undefined) continue;
      const isOther = (node: number): boolean => !direct.has(node) && except?.has(node) !== true;
      const left = one.every(isOther) ? one : one.filter(isOther);
      if (left.length > 0) groups.push({ starts: left, rights });
    }
    return groups;
  }

  /** @returns alternatives of each right; nothing for who lacks one */
  rightsOf(
    node: number,
    held: readonly Held[],
    memberships?: Memberships,
  ): (readonly Labels[])[] | undefined {
    const found: (readonly Labels[])[] = [];
    for (const each of held) {
      const alternatives = this.#alternatives.of(node, each, memberships);
      if (alternatives.length === 0) return undefined;
      if (alternatives !== FOR_GOOD) found.push(alternatives);
    }
    return found;
  }

  /** Members of holders of two rights over different groups. */
  #meetingsOf(held: readonly Held[]): Meetings {
    const open = held.filter(({ everybody }) => everybody !== FOR_GOOD);
    const sets = [...new Map(open.map((each) => [each.key, each])).values()];
    const key = sets.map((each) => each.key).join(';');
    let found = this.#meetings.get(key);
    if (found === undefined) {
      const nodes = this.#findMeetings(open, sets);
      const isWide = this.#alternatives.memberships === 'for good' || nodes.length > MAX_NAMED;
      found = { nodes, ...(isWide && { classes: this.#classes(nodes, sets) }) };
      this.#meetings.set(key, found);
    }
    return found;
  }

  /** Nodes that come to the same holders of each right together. */
  #classes(nodes: readonly number[], sets: readonly Held[]): (readonly number[])[] {
    const all = sets.map((each) => this.#alternatives.holderSets(each));
    const found = Map.groupBy(nodes, (node) => all.map((each) => each.numberOf(node)).join());
    return [...found.values()];
  }

  #findMeetings(held: readonly Held[], sets: readonly Held[]): number[] {
    let common = NodeSet.empty(this.#context.graph.nodeCount);
    if (held.length < 2) return [];
    // Rights with the same holders come together, too: a member of two of them may have one right from each.
    for (const [at, one] of sets.entries()) {
      for (const other of sets.slice(at + 1)) common = common.or(one.below.and(other.below));
      if (one.holders.size > 1 && held.filter(({ key }) => key === one.key).length > 1)
        common = common.or(one.below);
    }
    for (const { below, everybody } of sets) if (everybody.length === 0) common = common.and(below);
    const found = common.filter((node) => {
      let groups = 0;
      this.#members.outOf(node, (group) => {
        if (sets.some(({ below, holders }) => below.has(group) || holders.has(group))) groups++;
      });
      return groups > 1;
    });
    return [...found];
  }
}

/** Members in whom what two groups give comes together. */
interface Meetings {
  readonly nodes: readonly number[];
  /** Those with the same alternatives together, where no membership is named. */
  readonly classes?: readonly (readonly number[])[];
}

/** Nodes with the same alternatives together. */
export function grouped(
  nodes: Iterable<number>,
  rightsOf: (node: number) => readonly (readonly Labels[])[] | undefined,
): StartGroup[] {
  const groups = new Map<string, { starts: number[]; rights: readonly (readonly Labels[])[] }>();
  for (const node of nodes) {
    const rights = rightsOf(node);
    if (rights === undefined) continue;
    const key = rights.map((each) => each.map((labels) => labels.join()).join(' ')).join(';');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { starts: [node], rights });
    else known.starts.push(node);
  }
  return [...groups.values()];
}
