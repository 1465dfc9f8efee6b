import { expect, it } from 'vitest';
import { anchorOf, apart, timeTicks, valueTicks } from './chartScale.ts';

it('fault 12: marks of counts are whole numbers, whatever their size', () => {
  expect(valueTicks(121, 4, true)).toEqual([0, 50, 100, 150]);
  expect(valueTicks(3, 4, true)).toEqual([0, 1, 2, 3]);
  expect(valueTicks(1, 4, true)).toEqual([0, 1]);
  for (let top = 1; top < 2000; top += 7)
    for (const mark of valueTicks(top, 4, true)) expect(Number.isInteger(mark)).toBe(true);
  expect(valueTicks(1, 4, false)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(valueTicks(0, 4, true)).toEqual([0, 1]);
});

it('fault 12: several analyses of one day have several places', () => {
  const hour = 3_600_000;
  expect(timeTicks(0, 6 * hour, 4)).toEqual([0, 2 * hour, 4 * hour, 6 * hour]);
  expect(timeTicks(5, 5, 4)).toEqual([5]);
  // A minute is named once.
  expect(timeTicks(0, 59_999, 4)).toEqual([0]);
  expect(timeTicks(0, 120_000, 4)).toEqual([0, 60_000, 120_000]);
  expect(timeTicks(0, 3 * 24 * hour, 8)).toHaveLength(4);
});

it('texts at the ends of lines do not overlap', () => {
  expect(apart([50, 51, 10], 16, 0, 200)).toEqual([50, 66, 10]);
  expect(apart([199, 199], 16, 0, 200)).toEqual([184, 200]);
});

it('begins the text of the first tick at its time, also if it is the only one', () => {
  const anchors = (count: number) => Array.from({ length: count }, (_, at) => anchorOf(at, count));
  expect(anchors(1)).toEqual(['start']);
  expect(anchors(3)).toEqual(['start', 'middle', 'end']);
});
