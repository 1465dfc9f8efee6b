import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { AnalysisContext } from './analysisContext.ts';
import { defaultOptions } from './analyze.ts';

const NODES = Array.from({ length: 900 }, (_, at) => `N${String(at).padStart(3, '0')}`);

describe('a view of some kinds of relationships', () => {
  it('visits the same ones each time, of nodes with few and with very many', () => {
    const [hub, ...others] = NODES;
    const edges: TestEdge[] = others.flatMap((other, at): TestEdge[] => [
      [hub, EdgeKind.GenericAll, other],
      ...(at % 100 === 0 ? [[hub, EdgeKind.MemberOf, other] as const] : []),
      ...(at % 90 === 0 ? [[other, EdgeKind.MemberOf, hub] as const] : []),
      [other, EdgeKind.AdminTo, hub],
    ]);
    const world = graphOf({ nodes: NODES.map((id) => ({ id })), edges });
    const context = new AnalysisContext({ ...world, options: defaultOptions() });
    const expected = (kind: number, place: 0 | 2): number[] =>
      edges
        .filter((edge) => edge[1] === kind && edge[place] === hub)
        .map((edge) => world.node(edge[2 - place] as string));
    for (const kind of ['MemberOf', 'GenericAll', 'AdminTo'] as const) {
      const view = context.edges(kind);
      for (let time = 0; time < 3; time++) {
        const [out, into]: [number[], number[]] = [[], []];
        view.outOf(world.node(hub), (end, its) => {
          expect(its).toBe(EdgeKind[kind]);
          out.push(end);
        });
        view.into(world.node(hub), (start) => into.push(start));
        expect(out).toEqual(expected(EdgeKind[kind], 0));
        expect(into).toEqual(expected(EdgeKind[kind], 2));
      }
    }
  });
});
