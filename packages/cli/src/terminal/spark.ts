/** A row of numbers as one line of bars. */
import type { Screen } from './screen.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN_BARS = ['_', '.', '-', '=', '+', '*', '%', '#'];

/** @returns one bar per number, from 0 to the maximum; only the last `width` ones */
export function sparkLine(
  { hasUnicode }: Pick<Screen, 'hasUnicode'>,
  values: readonly number[],
  width: number,
): string {
  const bars = hasUnicode ? BARS : PLAIN_BARS;
  const shown = values.slice(-width);
  const most = Math.max(...shown, 0);
  return shown
    .map((value) => bars[most === 0 ? 0 : Math.round((Math.max(0, value) / most) * (bars.length - 1))])
    .join('');
}
