/** Random graphs of a few principals in some domains, for comparison with slow and obvious twins. */
import { EDGE_KINDS, NodeKind } from '@clew/model';
import fc from 'fast-check';

/** Steps of attack paths, and edges that are not steps. */
export const STEP_KINDS = [true, false].flatMap((steps) =>
  EDGE_KINDS.filter(({ traversable }) => traversable === steps)
    .slice(0, steps ? 5 : 2)
    .map(({ id }) => id),
);

export interface SmallWorld {
  readonly kinds: readonly number[];
  /** Index of the domain of each node. */
  readonly homes: readonly number[];
  readonly edges: readonly (readonly [from: number, kind: number, to: number])[];
  /** Members of a zone. */
  readonly members: readonly number[];
  /** Whether the first two domains are one forest, as one of them states. */
  readonly isForest: boolean;
}

export const smallWorlds = (domains: number, minEdges = 0): fc.Arbitrary<SmallWorld> =>
  fc.integer({ min: 1, max: 24 }).chain((count) => {
    const node = fc.nat(count - 1);
    const each = { minLength: count, maxLength: count };
    return fc.record({
      kinds: fc.array(fc.constantFrom(NodeKind.User, NodeKind.Group, NodeKind.Computer), each),
      homes: fc.array(fc.nat(domains - 1), each),
      edges: fc.array(fc.tuple(node, fc.constantFrom(...STEP_KINDS), node), {
        ...{ minLength: minEdges, maxLength: 60 },
      }),
      members: fc.array(node, { maxLength: 4 }),
      isForest: fc.boolean(),
    });
  });

export const smallIdOf = (at: number): string => `N-${String(at).padStart(2, '0')}`;
