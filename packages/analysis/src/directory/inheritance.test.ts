import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { InheritanceSources, inheritanceSource } from './inheritance.ts';

const IDS = ['A', 'B', 'C', 'D', 'E', 'F'];
const id = fc.constantFrom(...IDS);
const contains = fc.tuple(id, fc.constant(EdgeKind.Contains), id, fc.constant(0));
const entry = fc.tuple(
  fc.constantFrom('P', 'Q'),
  fc.constantFrom(EdgeKind.GenericAll, EdgeKind.WriteDacl),
  id,
  fc.constantFrom(0, EdgeFlag.Inherited),
);

it('are the same when they are looked up together, in circles and several containers as well', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(contains, { maxLength: 9 }),
      fc.array(entry, { maxLength: 12 }),
      (containers, entries) => {
        const world = graphOf({
          nodes: [...IDS, 'P', 'Q'].map((each) => ({ id: each, kinds: [NodeKind.Base] })),
          edges: [...containers, ...entries].map((edge): TestEdge => edge),
        });
        const context = new AnalysisContext({ ...world, options: defaultOptions() });
        const sources = new InheritanceSources(context);
        for (const [start, kind, end] of entries) {
          const ref = { start: world.node(start), kind, end: world.node(end) };
          const source = sources.of(ref);
          expect(source).toBe(inheritanceSource(world.graph, ref));
          if (source !== undefined) found++;
        }
      },
    ),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(100);
});
