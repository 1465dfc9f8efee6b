/**
 * Finds contradictions: principals that can reach a zone although no relationship finding is on their path. Exposure and findings use the
 * same steps, so if they differ, one of them is wrong, and so are the numbers based on it.
 *
 * Rule: `docs/findings.md#contradictions`.
 */
import {
  type AttackGraph,
  type Cancel,
  type EdgeFilter,
  NO_NODE,
  type NodeSet,
  reachableNodes,
} from '@clew/graph';
import { type Environments, zoneByForest } from './environments.ts';
import type { FoundColumns } from './findingColumns.ts';
import type { ZoneRanks } from './zoneRanks.ts';

export interface ContradictionInput {
  /** The graph of attack paths. */
  readonly graph: AttackGraph;
  readonly steps: EdgeFilter;
  readonly ranks: ZoneRanks;
  readonly environments: Environments;
  readonly found: FoundColumns;
  readonly cancel?: Cancel;
}

export interface ExposedWithoutFinding {
  readonly zone: number;
  /** Lowest first. */
  readonly principals: NodeSet;
}

/** @returns zones with such principals; empty if there is no contradiction @throws CanceledError */
export function exposedWithoutFinding({
  graph,
  steps,
  ranks,
  environments,
  found,
  cancel,
}: ContradictionInput): readonly ExposedWithoutFinding[] {
  const { of, forests, principals } = environments;
  return ranks.zones.flatMap((zone, at) => {
    if (!zone.analyzed || zone.members.isEmpty) return [];
    const blocked = ranks.atOrAbove(at + 1);
    const sources = new Set<number>();
    for (let place = 0; place < found.count; place++)
      if (found.sources[place] !== NO_NODE && blocked.has(found.targets[place]))
        sources.add(found.sources[place]);
    const walk = { direction: 'in', filter: steps, cancel } as const;
    const explained = reachableNodes(graph, sources, { ...walk, blocked });
    const outside = principals.andNot(blocked).andNot(explained);
    if (outside.isEmpty) return [];
    // Few remain, if any: only for these the forest matters.
    const left = zoneByForest(environments, zone.members).reduce((all, { forest, members }) => {
      const here = outside.filter((node) => forests[of[node]] === forest);
      return here.isEmpty ? all : all.or(reachableNodes(graph, members, walk).and(here));
    }, outside.andNot(outside));
    return left.isEmpty ? [] : [{ zone: zone.id, principals: left }];
  });
}
