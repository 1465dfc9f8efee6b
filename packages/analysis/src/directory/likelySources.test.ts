/** Entries that a container passes on without having them itself: the likely container must be the one that passed them to all holders. */
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { InheritanceSources } from './inheritance.ts';
import { LikelySources } from './likelySources.ts';

/** A tree of units, each below an earlier one, and users in them. */
interface Tree {
  /** Place of the unit above; the first unit has none. */
  readonly above: readonly number[];
  /** Units with disabled inheritance. */
  readonly off: ReadonlySet<number>;
  /** Place of the unit of each user. */
  readonly users: readonly number[];
}

/** @returns the units above a unit that pass entries on to it, including itself */
function handingDown({ above, off }: Tree, unit: number): number[] {
  const found = [unit];
  for (let at = unit; at > 0 && !off.has(at); at = above[at] as number) found.push(above[at] as number);
  return found;
}

/** @param source source of the entry of P, which only users have */
function built(tree: Tree, source: number, users = heirs(tree, source)) {
  const units = tree.above.map((_, at) => `O${at}`);
  const edges: TestEdge[] = [
    ...units.slice(1).map((id, at): TestEdge => [`O${tree.above[at + 1]}`, EdgeKind.Contains, id, 0]),
    ...tree.users.map((unit, at): TestEdge => [`O${unit}`, EdgeKind.Contains, `U${at}`, 0]),
    ...users.map((at): TestEdge => ['P', EdgeKind.ForceChangePassword, `U${at}`, EdgeFlag.Inherited]),
  ];
  const world = graphOf({
    nodes: [
      ...units.map((id, at) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.OU] },
        props: { isaclprotected: tree.off.has(at) },
      })),
      ...tree.users.map((_, at) => ({ id: `U${at}`, kinds: [NodeKind.Base, NodeKind.User] })),
      { id: 'P', kinds: [NodeKind.Base, NodeKind.Group] },
    ],
    edges,
  });
  const context = new AnalysisContext({ ...world, options: defaultOptions() });
  const inherited = new InheritanceSources(context);
  const users_ = context.nodesOf('User');
  const sources = new LikelySources(context, {
    containers: inherited.containers,
    kindOf: (node) => (users_.has(node) ? 'User' : undefined),
    isKnown: (start, kind, end) => inherited.of({ start, kind, end }) !== undefined,
  });
  return (user: number) => {
    const found = sources.of(world.node('P'), EdgeKind.ForceChangePassword, world.node(`U${user}`));
    return units.findIndex((id) => found !== undefined && world.node(id) === found);
  };
}

const heirs = (tree: Tree, source: number): number[] =>
  tree.users.flatMap((unit, at) => (handingDown(tree, unit).includes(source) ? [at] : []));

const TREE: Tree = { above: [0, 0, 1, 1, 0], off: new Set(), users: [0, 1, 2, 2, 3, 4, 4] };

describe('the likely source of an entry that only those below have', () => {
  it.each([
    ['the root', 0, 0],
    ['a unit with units', 1, 1],
    ['a unit of a unit', 2, 2],
  ])('is %s where all below have it', (_, source, expected) => {
    const sourceOf = built(TREE, source);
    for (const user of heirs(TREE, source)) expect(sourceOf(user)).toBe(expected);
  });

  it('is the lowest unit that holds all who have it', () => {
    const single: Tree = { above: [0, 0, 1], off: new Set(), users: [2, 2] };
    expect(built(single, 0)(0)).toBe(2);
  });

  it('is a unit although some below lack it, as the share above is smaller', () => {
    expect(built(TREE, 2, [2])(2)).toBe(2);
  });

  it('is in any tree a unit that holds all who have it, at the source or below', () => {
    let above = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(100), { minLength: 1, maxLength: 7 }),
        fc.array(fc.nat(7), { maxLength: 2 }),
        fc.array(fc.nat(100), { minLength: 1, maxLength: 9 }),
        fc.nat(100),
        (parents, off, places, at) => {
          const count = parents.length + 1;
          const tree: Tree = {
            above: [0, ...parents.map((parent, place) => parent % (place + 1))],
            off: new Set(off.filter((unit) => unit > 0 && unit < count)),
            users: places.map((place) => place % count),
          };
          const source = at % count;
          const users = heirs(tree, source);
          const sourceOf = built(tree, source);
          for (const user of users) {
            const found = sourceOf(user);
            expect(handingDown(tree, found)).toContain(source);
            expect(heirs(tree, found)).toEqual(users);
            if (found !== tree.users[user]) above++;
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(above).toBeGreaterThan(200);
  });
});
