/**
 * The queries that may be long, by name: pure functions of a generation's data, so they have the same result on the event loop and in a
 * thread. To add one, add a row.
 */
import type { RulesMode } from '@clew/model';
import { type CombinedTree, combinedTree } from '../combined/combinedTree.ts';
import type { Meter } from '../meter.ts';
import { type NodeSort, orderNodes } from '../order.ts';
import { findPaths, type PathsRequest } from '../paths/findPaths.ts';
import { membersOfZones, type QueryData } from '../queryData.ts';
import {
  type ReachingPrincipals,
  type ReachRequest,
  reachingPrincipals,
} from '../reach/reachingPrincipals.ts';
import { type ListKey, relationOf } from '../relations/quirks.ts';
import { type RelationGraph, relationGraph } from '../relations/relationGraph.ts';
import { evaluateRelation } from '../relations/walk.ts';
import { packWays } from '../relations/ways.ts';
import { buildSearchIndex, type SearchIndex } from '../search/searchIndex.ts';
import { buildWordIndex, type NodeTexts, type WordIndex } from '../search/wordIndex.ts';

export interface RelatedListRequest {
  readonly list: ListKey;
  readonly rules: RulesMode;
  readonly root: number;
}

/** A graph of columns only, which is fast to transfer. */
export type PackedGraph = Omit<RelationGraph, 'ways'> & { readonly ways: Uint32Array };

export interface CombinedTreeRequest {
  readonly zone: number;
  /** The zone and more privileged zones. */
  readonly atOrAbove: readonly number[];
  /** Environment node; absent for all environments. */
  readonly environment?: number;
  /** Nodes of the environments that the caller may see; absent for all. */
  readonly visible?: readonly number[];
}

export const QUERY_TASKS = {
  /** All entries of a related list, in order. */
  relatedNodes(
    data: QueryData,
    { list, rules, root, sorts }: RelatedListRequest & { readonly sorts: readonly NodeSort[] },
    meter: Meter,
  ): Uint32Array {
    const nodes = evaluateRelation(data, relationOf(list, rules), root, meter);
    return orderNodes(data, nodes, sorts, meter);
  },

  relatedGraph(
    data: QueryData,
    { list, rules, root, connecting }: RelatedListRequest & { readonly connecting: boolean },
    meter: Meter,
  ): PackedGraph {
    const graph = relationGraph(data, relationOf(list, rules), root, { connecting }, meter);
    return { ...graph, ways: packWays(graph.ways) };
  },

  combinedTree(data: QueryData, request: CombinedTreeRequest, meter: Meter): CombinedTree {
    const { zone, atOrAbove, environment, visible } = request;
    return combinedTree(
      data.graph,
      data.labels,
      {
        members: membersOfZones(data, [zone]),
        inside: membersOfZones(data, atOrAbove),
        environment,
        ...(visible === undefined ? {} : { visible: new Set(visible) }),
      },
      meter,
    );
  },

  paths(data: QueryData, request: PathsRequest, meter: Meter) {
    return findPaths(data, request, meter);
  },

  reachingPrincipals(data: QueryData, request: ReachRequest, meter: Meter): ReachingPrincipals {
    return reachingPrincipals(data, request, meter);
  },

  searchIndex(data: QueryData, _none: Readonly<Record<string, never>>, meter: Meter): SearchIndex {
    // About 3 us per node; visiting an edge counts as 50 ns.
    meter.spend(data.graph.nodeCount * 60);
    return buildSearchIndex(data);
  },

  wordIndex(
    data: QueryData,
    { index, texts }: { readonly index: SearchIndex; readonly texts: NodeTexts },
    meter: Meter,
  ): WordIndex {
    // About 5 us per node.
    meter.spend(data.graph.nodeCount * 100);
    return buildWordIndex(data, index, texts);
  },
} as const;

export type QueryTaskName = keyof typeof QUERY_TASKS;
export type QueryTaskArgs<Name extends QueryTaskName> = Parameters<(typeof QUERY_TASKS)[Name]>[1];
export type QueryTaskResult<Name extends QueryTaskName> = ReturnType<(typeof QUERY_TASKS)[Name]>;
