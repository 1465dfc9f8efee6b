/** The use of a computer, according to the facts. */
import type { AnalysisContext } from '@clew/analysis';
import type { AttackGraph } from '@clew/graph';
import { sessionsOn } from './neighborFilters.ts';

/** Number of sessions from which a computer counts as shared by many users. */
const MIN_CROWD = 6;

export const isCrowded = (graph: AttackGraph, host: number): boolean =>
  sessionsOn(graph, host).length >= MIN_CROWD;

/** @returns false also if the operating system is unknown */
export function isClient({ properties }: AnalysisContext, host: number): boolean {
  const system = properties.text('operatingsystem', host) ?? '';
  return system !== '' && !/SERVER/i.test(system);
}
