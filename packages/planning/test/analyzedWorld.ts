/** A collection as analyzed by the service, with the default rules of Tier Zero. */

import { expandZone, selectNodes } from '@clew/analysis';
import { NodeSet } from '@clew/graph';
import { DEFAULT_SELECTORS } from '@clew/model';
import { type AnalyzedWorld, worldOf } from '../src/simulation/simulate.ts';
import type { CollectedWorld } from './collectedWorld.ts';

export const COLLECTED_AT = Date.UTC(2026, 5, 1) / 1000;

export function analyzedWorld({ context, graph }: CollectedWorld): AnalyzedWorld {
  return worldOf(context, {
    now: COLLECTED_AT,
    zonesOf: (changed) => {
      const seeds = DEFAULT_SELECTORS.map(({ criterion }) => selectNodes(changed, criterion));
      const members = expandZone(changed, NodeSet.union(graph.nodeCount, seeds), 'all').all;
      const pending = NodeSet.empty(graph.nodeCount);
      return [{ id: 1, position: 1, analyzed: true, members, pending }];
    },
  });
}
