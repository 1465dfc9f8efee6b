import { CanceledError, newCancel, requestCancel } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { AnalysisContext, type AnalysisInput, type Shared } from './analysisContext.ts';
import { analyze, compose, defaultOptions, requiredProperties } from './analyze.ts';
import type { Rule } from './rule.ts';

const world = graphOf({
  nodes: ['A', 'B', 'C'].map((id) => ({ id, kinds: [NodeKind.Base, NodeKind.Group] })),
  edges: [
    ['A', EdgeKind.GetChanges, 'B'],
    ['B', EdgeKind.GetChanges, 'C'],
  ],
});
const input = { ...world, options: defaultOptions() };

/** Derives DCSync for each GetChanges; a stub on which other rules of these tests depend. */
const first: Rule = {
  name: 'first',
  produces: ['DCSync'],
  reads: { edges: ['GetChanges'], nodeProperties: ['alpha'] },
  derive: (context, edges) => {
    context.edges('GetChanges').forEach((start, _kind, end) => {
      edges.add('DCSync', start, end);
    });
  },
};

/** Derives AdminTo in the reverse direction of each DCSync. */
const second: Rule = {
  name: 'second',
  produces: ['AdminTo'],
  reads: { edges: ['DCSync'] },
  derive: (context, edges) => {
    for (const node of context.nodesOf('Group')) {
      context.edges('DCSync').into(node, (start) => edges.add('AdminTo', node, start));
    }
  },
};

function derivedBy(...rules: Rule[]): string[] {
  const { edges } = analyze(input, rules);
  return Array.from(edges.starts, (start, at) => {
    const [from, to] = world.ids([start, edges.ends[at]]);
    return `${from} ${edgeKindById(edges.kinds[at])?.name} ${to}`;
  });
}

describe('analyze', () => {
  it('runs a rule after those whose kinds it reads, wherever they are in the table', () => {
    const expected = ['B AdminTo A', 'C AdminTo B', 'A DCSync B', 'B DCSync C'];
    expect(derivedBy(first, second)).toEqual(expected);
    expect(derivedBy(second, first)).toEqual(expected);
    expect(analyze(input, [second, first]).perRule.map((rule) => rule.name)).toEqual(['first', 'second']);
  });

  it('refuses rules that read each other and two producers of one kind', () => {
    const circular: Rule = { ...first, reads: { edges: ['AdminTo'] } };
    expect(() => analyze(input, [circular, second])).toThrow(/reads edges that depend on its own/);
    expect(() => analyze(input, [first, { ...first, name: 'other' }])).toThrow(/by first and by other/);
  });

  it('gives each edge once, in order of kind, start and end, marked as derived', () => {
    const rule: Rule = {
      ...first,
      derive: (_context, edges) => {
        edges.add('DCSync', 2, 0, EdgeFlag.Acl);
        edges.add('DCSync', 0, 1);
        edges.add('DCSync', 2, 0, EdgeFlag.Inherited, { note: 'kept' });
      },
    };
    const { edges, perRule } = analyze(input, [rule]);
    expect([...edges.starts]).toEqual([0, 2]);
    expect([...edges.flags]).toEqual([
      EdgeFlag.Derived,
      EdgeFlag.Derived | EdgeFlag.Acl | EdgeFlag.Inherited,
    ]);
    expect([...edges.properties]).toEqual([[1, { note: 'kept' }]]);
    expect(perRule).toMatchObject([{ name: 'first', kinds: ['DCSync'], status: 'done', edges: 2 }]);
  });

  it('drops self edges unless the rule means them', () => {
    const rule: Rule = { ...first, derive: (_context, edges) => edges.add('DCSync', 1, 1) };
    expect(derivedBy(rule)).toEqual([]);
    expect(derivedBy({ ...rule, selfEdges: true })).toEqual(['B DCSync B']);
  });

  it('runs a rule with a feature only while the feature is on', () => {
    const rule: Rule = { ...first, feature: 'gpo_application' };
    expect(derivedBy(rule)).toEqual([]);
    expect(analyze(input, [rule]).perRule).toMatchObject([{ status: 'off', edges: 0 }]);
    const on: AnalysisInput = {
      ...input,
      options: { rules: 'clean', features: new Set(['gpo_application'] as const) },
    };
    expect(analyze(on, [rule]).edges.count).toBe(2);
  });

  it('goes on after a rule that breaks, but not with rules that build on it', () => {
    const broken: Rule = {
      ...first,
      derive: () => {
        throw new Error('no');
      },
    };
    const apart: Rule = { ...first, name: 'apart', produces: ['HasTrustKeys'], derive: () => {} };
    expect(analyze(input, [broken, second, apart]).perRule).toMatchObject([
      { name: 'first', status: 'failed', error: new Error('no') },
      { name: 'second', status: 'failed', error: new Error('the rule first failed before') },
      { name: 'apart', status: 'done' },
    ]);
  });

  it('refuses an edge of a kind the rule does not declare', () => {
    const rule: Rule = { ...first, derive: (_context, edges) => edges.add('AdminTo', 0, 1) };
    expect(analyze(input, [rule]).perRule).toMatchObject([
      { status: 'failed', error: new Error('the rule does not say that it produces AdminTo') },
    ]);
  });

  it('stops when canceled', () => {
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => analyze({ ...input, cancel }, [first])).toThrow(CanceledError);
  });

  it('lists the properties that rules and their shared structures read', () => {
    const shared: Shared<number> = {
      name: 'depth',
      reads: { nodeProperties: ['gamma', 'beta'] },
      build: () => 1,
    };
    const rule: Rule = { ...second, reads: { shared: [shared] } };
    expect(requiredProperties([rule, first])).toEqual(['alpha', 'beta', 'gamma']);
  });
});

describe('compose', () => {
  it('is empty for kinds that no rule explains', () => {
    expect(compose(input, { start: 0, kind: EdgeKind.DCSync, end: 1 }, [first])).toEqual({
      nodes: new Uint32Array(0),
      edges: [],
    });
  });
});

describe('AnalysisContext', () => {
  it('builds a shared structure once', () => {
    let built = 0;
    const shared: Shared<number> = { name: 'count', reads: {}, build: () => ++built };
    const context = new AnalysisContext(input);
    expect([context.use(shared), context.use(shared)]).toEqual([1, 1]);
  });

  it('shows collected and derived edges of a kind together', () => {
    const context = new AnalysisContext(input);
    const view = () => world.ids(context.edges('GetChanges', 'DCSync').startsOf(world.node('C')));
    expect(view()).toEqual(['B']);
    context.addDerived({
      kind: EdgeKind.DCSync,
      starts: Uint32Array.of(0),
      ends: Uint32Array.of(2),
      flags: Uint8Array.of(EdgeFlag.Derived),
      properties: new Map(),
    });
    expect(view()).toEqual(['A', 'B']);
    const between = (start: number, end: number) =>
      context.edges('GetChanges', 'DCSync').kindsBetween(start, end);
    expect(between(0, 2)).toEqual([EdgeKind.DCSync]);
    expect(between(1, 2)).toEqual([EdgeKind.GetChanges]);
    expect(between(2, 0)).toEqual([]);
  });
});
