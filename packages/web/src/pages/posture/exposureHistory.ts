/** The exposure by day: what is asked for, and by how much it changed. */
import type { Line } from '../../parts/LineChart.tsx';

/** @param environment all of them together when absent: the service takes an empty list for all that the user may see */
export const historyAsked = (environment: string | undefined, start: string, zone: number) => ({
  environments: environment ?? '',
  start,
  asset_group_tag_id: String(zone),
});

/** @returns points by which a line rose or fell; nothing with fewer than two of them */
export function changeOf({ points }: Pick<Line, 'points'>): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  return points.length < 2 || first === undefined || last === undefined
    ? undefined
    : last.value - first.value;
}
