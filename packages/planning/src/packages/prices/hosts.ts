/** The use of a computer, as far as the facts show it. */
import type { AnalysisContext } from '@clew/analysis';
import type { AttackGraph } from '@clew/graph';
import { sessionsOn } from './neighborFilters.ts';

/** Sessions that make a computer one on which many work. */
const MIN_CROWD = 6;

export const isCrowded = (graph: AttackGraph, host: number): boolean =>
  sessionsOn(graph, host).length >= MIN_CROWD;

/** @returns false for one whose system is not known, too */
export function isClient({ properties }: AnalysisContext, host: number): boolean {
  const system = properties.text('operatingsystem', host) ?? '';
  return system !== '' && !/SERVER/i.test(system);
}
