/**
 * Sets of principals that hold a right, and the cover function: which nodes get an edge that means "holds right 1 and right 2 and ... and
 * right k". A group that implies all rights gets the edge instead of its members; a member below it gets no edge of its own.
 *
 * Rule: `docs/rules.md#which-principal-gets-an-edge-that-needs-several-rights`. The order of arguments matters: the first set that does not contain
 * everybody is the reference set.
 */
import { getOrMake, type NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { NodeSetCache } from '../nodeSetCache.ts';
import { membership } from './membership.ts';
import { type PruneMode, pruneNested } from './pruneNested.ts';
import { specialGroups } from './specialGroups.ts';

/** The holders of a right. Within a run, equal sets are the same object, so identity is a key. */
export interface PrincipalSet {
  /** Number of the set in this run. */
  readonly id: number;
  /** Direct holders. */
  readonly direct: NodeSet;
  /** The holders include everybody: a special group, or a group that directly or indirectly contains one. */
  readonly isUniversal: boolean;
}

export class PrincipalSets {
  readonly #context: AnalysisContext;
  readonly #sets = new Map<string, PrincipalSet>();
  readonly #expanded = new NodeSetCache();
  readonly #covers = new NodeSetCache();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns the set with these direct holders */
  of(direct: NodeSet): PrincipalSet {
    const key = direct.toArray().join();
    return getOrMake(this.#sets, key, () => {
      const { universal } = this.#context.use(specialGroups);
      return { id: this.#sets.size, direct, isUniversal: direct.intersects(universal) };
    });
  }

  /** @returns the direct holders, and all members of the groups among them */
  expanded(set: PrincipalSet): NodeSet {
    return this.#expanded.get(`${set.id}`, () => this.#context.use(membership).expand(set.direct));
  }

  /**
   * @param sets at least two; with fewer the result is empty
   * @param mode treatment of nested groups that all hold every right
   */
  cover(sets: readonly PrincipalSet[], mode: PruneMode): NodeSet {
    if (sets.length < 2) return this.#context.emptySet();
    const [first, ...others] = sets.filter((set) => !set.isUniversal);
    if (first === undefined) return unionOf(sets.map((set) => set.direct));
    // Duplicates and the order of the other sets do not matter, and the first set implies itself.
    const further = [...new Set(others)].filter((set) => set !== first).sort((a, b) => a.id - b.id);
    if (further.length === 0) return first.direct;
    const key = `${mode} ${first.id} ${further.map((set) => set.id).join()}`;
    return this.#covers.get(key, () => {
      const before = this.#before([first, ...further]);
      return before?.sets.cover(before.of, mode) ?? this.#cover(first, further, mode);
    });
  }

  /**
   * A cover depends on the members of the groups in its sets, and on the members of these: if all are unchanged since the original facts,
   * so is the cover. @returns the same sets in the original facts
   */
  #before(
    of: readonly PrincipalSet[],
  ): { readonly sets: PrincipalSets; readonly of: readonly PrincipalSet[] } | undefined {
    const { origin } = this.#context;
    const changed = this.#context.use(membership).changedGroups;
    if (origin === undefined || changed === undefined) return undefined;
    if (of.some(({ direct }) => direct.intersects(changed))) return undefined;
    const sets = origin.context.use(principalSets);
    return { sets, of: of.map(({ direct }) => sets.of(direct)) };
  }

  #cover(first: PrincipalSet, others: readonly PrincipalSet[], mode: PruneMode): NodeSet {
    const members = this.#context.use(membership);
    const holdsOthers = intersectionOf(others.map((set) => this.expanded(set)));
    if (holdsOthers.isEmpty) return holdsOthers;
    const holders = first.direct.and(holdsOthers);
    const below = holders.isEmpty ? this.expanded(first) : members.expand(first.direct.andNot(holdsOthers));
    return holders.or(pruneNested(below.and(holdsOthers), members, mode));
  }
}

function unionOf(sets: readonly NodeSet[]): NodeSet {
  return sets.reduce((all, set) => all.or(set));
}

function intersectionOf(sets: readonly NodeSet[]): NodeSet {
  return [...sets].sort((a, b) => a.size - b.size).reduce((common, set) => common.and(set));
}

export const principalSets: Shared<PrincipalSets> = {
  name: 'principal sets',
  reads: { shared: [membership, specialGroups] },
  build: (context) => new PrincipalSets(context),
};
