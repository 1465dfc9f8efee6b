import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { membershipRows } from './membershipRows.ts';

const IDS = ['A', 'B', 'C', 'D', 'E', 'F'];
const id = fc.constantFrom(...IDS);
const kind = fc.constantFrom(EdgeKind.MemberOf, EdgeKind.MemberOfLocalGroup, EdgeKind.GenericAll);
const flags = fc.constantFrom(0, EdgeFlag.PrimaryGroup, EdgeFlag.Derived);
const edge = fc.tuple(id, kind, id, flags);

it('are the memberships of a node among its relationships, those that follow from others included', () => {
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 20 }),
      fc.array(fc.tuple(id, id), { maxLength: 4 }),
      (all, derived) => {
        const world = graphOf({
          nodes: IDS.map((each) => ({ id: each, kinds: [NodeKind.Base, NodeKind.Group] })),
          edges: all.map(([start, each, end, own]): TestEdge => [start, each, end, own]),
        });
        const context = new AnalysisContext({ ...world, options: defaultOptions() });
        const pairs = derived.map(([start, end]) => [world.node(start), world.node(end)] as const);
        pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        context.addDerived({
          kind: EdgeKind.MemberOf,
          starts: Uint32Array.from(pairs, ([start]) => start),
          ends: Uint32Array.from(pairs, ([, end]) => end),
          flags: new Uint8Array(pairs.length).fill(EdgeFlag.Derived),
          properties: new Map(),
        });
        const view = context.edges('MemberOf', 'MemberOfLocalGroup');
        const rows = context.use(membershipRows);
        for (const each of IDS) {
          const [found, expected]: [number[][], number[][]] = [[], []];
          rows.outOf(world.node(each), (...one) => found.push(one));
          expect(rows.count(world.node(each))).toBe(found.length);
          const inOne: number[][] = [];
          for (const group of IDS.map(world.node).sort((a, b) => a - b))
            rows.between(world.node(each), group, (...one) => inOne.push(one));
          expect(inOne).toEqual(found);
          view.outOf(world.node(each), (...one) => expected.push(one));
          expect(found).toEqual(expected.sort(([a], [b]) => a - b));
        }
      },
    ),
    { numRuns: 300 },
  );
});
