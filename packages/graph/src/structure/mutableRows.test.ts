import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LabelSet } from './labelSet.ts';
import { markSets, Rows } from './mutableRows.ts';

const LABELS = 8;
/** Different sets of labels; the first is empty. */
const sets = fc
  .uniqueArray(
    fc
      .uniqueArray(fc.nat(LABELS - 1), { minLength: 1, maxLength: 4 })
      .map((all) => all.sort((a, b) => a - b)),
    { selector: (labels) => labels.join(), minLength: 1, maxLength: 60, size: 'max' },
  )
  .map((all) => [[], ...all]);

/** Cleans steps with these sets from node 1 to node 0. */
function cleaned(all: readonly LabelSet[], steps: readonly number[]): number[] {
  const rows = new Rows(Uint32Array.from([0, 0, steps.length]), Float64Array.from(steps), all.length);
  rows.clean(1, markSets(all));
  const left: number[] = [];
  rows.forEach(1, (_, set) => left.push(set));
  return left;
}

describe('a row of steps', () => {
  it('removes steps that carry all labels of a parallel step, for few and for many', () => {
    fc.assert(
      fc.property(sets, fc.array(fc.nat(59), { maxLength: 80, size: 'max' }), (all, chosen) => {
        const steps = chosen.map((at) => 1 + (at % (all.length - 1)));
        const isPart = (one: number, other: number) => all[one].every((label) => all[other].includes(label));
        const expected = [...new Set(steps)]
          .filter((set) => !steps.some((other) => other !== set && isPart(other, set)))
          .sort((a, b) => a - b);
        expect(cleaned(all, steps)).toEqual(expected);
      }),
    );
  });

  it('is cleaned in time proportional to its steps, not to their pairs', () => {
    const count = 200_000;
    const all = [[], ...Array.from({ length: count }, (_, label) => [label])];
    const steps = Array.from({ length: count }, (_, at) => at + 1);
    // With pairs this would be 2 * 10^10 comparisons: the limit of the test.
    expect(cleaned(all, steps)).toHaveLength(count);
  });
});
