/** Small directories for the tests of rules, and the edges that the rules derive in them. */
import type { JsonObject } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph, type TestNode } from '@clew/graph/testing';
import type { EdgeKindName, NodeKindName, RulesMode } from '@clew/model';
import { EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import { expect } from 'vitest';
import { AD_RULES } from '../../src/ad/rules.ts';
import type { AnalysisContext, AnalysisInput } from '../../src/analysisContext.ts';
import { analyze, compose, defaultOptions } from '../../src/analyze.ts';
import type { FeatureName } from '../../src/features.ts';
import { Observation, type Reader, sharedOf } from '../observedContext.ts';
import { edgesByWays } from '../wayEdges.ts';

export type Fact = readonly [
  start: string,
  kind: EdgeKindName,
  end: string,
  flags?: number,
  props?: JsonObject,
];
export type Thing = readonly [id: string, kind: NodeKindName, props?: JsonObject];

interface Choice {
  readonly mode?: RulesMode;
  readonly features?: readonly FeatureName[];
}

export const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

export const SID = 'S-1-5-21-1-2-3';
export const OTHER = 'S-1-5-21-9-9-9';

export const D: Thing = ['D', 'Domain', { collected: true }];
export const users = (...ids: string[]): Thing[] => ids.map((id) => [id, 'User']);
export const groups = (...ids: string[]): Thing[] => ids.map((id) => [id, 'Group']);

/** Things of one domain; the property `domainsid` is the domain's unless given. */
export function worldOf(things: readonly Thing[], facts: readonly Fact[]): TestGraph {
  const nodes: TestNode[] = things.map(([id, kind, props]) => ({
    id,
    kinds: [NodeKind.Base, NodeKind[kind]],
    props: { domainsid: SID, ...props },
  }));
  const edges: TestEdge[] = facts.map(
    ([start, kind, end, flags, props]): TestEdge => [start, EdgeKind[kind], end, flags, props],
  );
  return graphOf({ nodes, edges });
}

function inputOf(world: TestGraph, { mode = 'clean', features = [] }: Choice = {}): AnalysisInput {
  const { graph, properties, edgeProperties } = world;
  const on = new Set([...defaultOptions().features, ...features]);
  return { graph, properties, edgeProperties, options: { rules: mode, features: on } };
}

/** Structures that the readers share, but for forests, which only rules of certificates use. */
export const sharedBy = (readers: readonly Reader[]): readonly Reader[] =>
  [...sharedOf(readers)].filter(({ name }) => name !== 'domains');

/** Runs the rules, and records their reads in the worlds of one test file. */
export class ObservedRules {
  readonly #observation = new Observation();

  contextOf(world: TestGraph, choice?: Choice): AnalysisContext {
    return this.#observation.contextOf(inputOf(world, choice));
  }

  /** All derived edges as `start kind end`. */
  derive(world: TestGraph, choice: Choice = {}): string[] {
    const context = this.contextOf(world, choice);
    const { edges, perRule } = analyze(context, AD_RULES);
    expect(perRule.filter((rule) => rule.status === 'failed')).toEqual([]);
    const { derived, byWays } = edgesByWays(context, AD_RULES, edges);
    expect(byWays).toEqual(derived);
    return Array.from(edges.starts, (start, at) => {
      const [from, to] = world.ids([start, edges.ends[at]]);
      return `${from} ${edgeKindById(edges.kinds[at])?.name} ${to}`;
    }).sort();
  }

  /** The facts behind a derived edge, as `start kind end`. */
  explain(world: TestGraph, start: string, kind: EdgeKindName, end: string): string[] {
    const ref = { start: world.node(start), kind: EdgeKind[kind], end: world.node(end) };
    return compose(this.contextOf(world), ref, AD_RULES).edges.map((edge) => {
      const [from, to] = world.ids([edge.start, edge.end]);
      return `${from} ${edgeKindById(edge.kind)?.name} ${to}`;
    });
  }

  /** @returns declared reads of these readers that nothing read. */
  unused(readers: readonly Reader[]): string[] {
    return this.#observation.unused(readers);
  }
}
