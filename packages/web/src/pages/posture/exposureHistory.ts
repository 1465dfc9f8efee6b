/** The exposure by analysis: its query, and the amount of its change. */
import type { Line } from '../../parts/chartLines.ts';

/** Longer lists do not fit into an address. */
export const MAX_ASKED = 120;

/** @param environments environments for which the service returns one combined figure per analysis */
export const historyAsked = (environments: readonly string[], start: string, zone: number) => ({
  environments: environments.join(','),
  start,
  asset_group_tag_id: String(zone),
  points: 'analysis' as const,
});

/** @returns change of a line in points; `undefined` with fewer than two values */
export function changeOf({ points }: Pick<Line, 'points'>): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  return points.length < 2 || first === undefined || last === undefined
    ? undefined
    : last.value - first.value;
}
