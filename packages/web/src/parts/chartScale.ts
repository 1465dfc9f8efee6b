/**
 * Scales of charts: round ticks for values, integer ticks for counts, and ticks of time with enough space for their
 * labels.
 */

const STEPS = [1, 2, 2.5, 5, 10];

/**
 * @param top largest drawn value
 * @param marks maximum number of marks, in addition to 0
 * @param isWhole counts: only integer marks
 * @returns 0 and the marks above it; the last mark is the end of the scale
 */
export function valueTicks(top: number, marks: number, isWhole: boolean): readonly number[] {
  if (!(top > 0)) return [0, 1];
  const rough = top / Math.max(1, marks);
  const power = 10 ** Math.floor(Math.log10(rough));
  const fitting = STEPS.map((step) => step * power).find(
    (step) => step >= rough - 1e-12 && (!isWhole || Number.isInteger(step)),
  );
  const step = isWhole ? Math.max(1, fitting ?? Math.ceil(rough)) : (fitting ?? rough);
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** @returns evenly spaced times from the first to the last, at least a minute apart; a single one if they are closer */
export function timeTicks(first: number, last: number, marks: number): readonly number[] {
  const minutes = Math.floor((last - first) / MINUTE_MS);
  if (minutes < 1) return [first];
  // With more marks than days, a day would be named twice.
  const days = Math.floor((last - first) / DAY_MS);
  const parts = Math.max(1, Math.min(marks - 1, minutes, days < 2 ? 3 : days));
  return Array.from({ length: parts + 1 }, (_, at) => first + ((last - first) * at) / parts);
}

/** @returns the side of a time at which its text begins, so that no text is drawn beyond the ends of the scale */
export function anchorOf(at: number, count: number): 'start' | 'middle' | 'end' {
  // The only tick of a scale is at its beginning.
  if (at === 0) return 'start';
  return at === count - 1 ? 'end' : 'middle';
}

/** Whether time ticks need the hour, because a day has several analyses. Days begin at midnight UTC. */
export const needsHours = (times: readonly number[]): boolean =>
  Math.max(...times) - Math.min(...times) < 2 * DAY_MS && times.some((time) => time % DAY_MS !== 0);

/**
 * Moves overlapping texts apart by the minimum distance. @param wanted preferred positions, in any order
 * @returns positions in the same order
 */
export function apart(
  wanted: readonly number[],
  distance: number,
  low: number,
  high: number,
): readonly number[] {
  const order = wanted.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  const found = new Array<number>(wanted.length);
  let next = low;
  for (const { place, at } of order) {
    found[at] = Math.max(place, next);
    next = found[at] + distance;
  }
  let limit = high;
  for (const { at } of order.toReversed()) {
    found[at] = Math.min(found[at], limit);
    limit = found[at] - distance;
  }
  return found;
}

/** @returns the value closest to the wanted one; `undefined` for an empty list. @param sorted ascending */
export function nearest(sorted: readonly number[], wanted: number): number | undefined {
  let found: number | undefined;
  for (const value of sorted)
    if (found === undefined || Math.abs(value - wanted) < Math.abs(found - wanted)) found = value;
  return found;
}
