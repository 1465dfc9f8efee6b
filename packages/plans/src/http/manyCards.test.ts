/** Check findings and excluded changes in plans with too many cards and changes to examine one by one. */
import { describe, expect, it } from 'vitest';
import { placedFindings } from '../tasks/checksOfPlan.ts';
import { constraintsOf, MAX_REPAIRS } from './leaveOut.ts';

describe('findings of checks', () => {
  const CARDS = 200;
  /** Each finding is represented by the number of cards after which it is closed. */
  const place = (findings: readonly number[], most: number) => {
    let questions = 0;
    const goneAfter = async (count: number, some: readonly number[]) => {
      questions++;
      return some.filter((finding) => finding <= count);
    };
    return placedFindings({ count: CARDS, findings, most, goneAfter }).then((placed) => ({
      placed,
      questions,
    }));
  };

  it('are closed by the first card after which they are missing, also by a late one', async () => {
    const { placed } = await place([1, 61, 130, 130, 200, 999], 100);
    expect([...placed].sort(([one], [other]) => one - other)).toEqual([
      [0, [1]],
      [60, [61]],
      [129, [130, 130]],
      [199, [200]],
    ]);
  });

  it('are named by a later card where there are too many, and never by none', async () => {
    const findings = Array.from({ length: CARDS }, (_, at) => at + 1);
    const { placed, questions } = await place(findings, 20);
    expect(questions).toBeLessThanOrEqual(21);
    expect([...placed.values()].flat().sort((one, other) => one - other)).toEqual(findings);
    for (const [at, gone] of placed) for (const finding of gone) expect(finding).toBeLessThanOrEqual(at + 1);
  });
});

describe('a package that is left out', () => {
  const references = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => ({ kind: 'remove-member', object_id: `S-1-5-21-1-${at}` }) as const,
    );

  it('has one constraint, or as many as all of its changes need', () => {
    expect(constraintsOf({ title: 'Remove', references: references(3) })).toEqual([
      { title: 'Remove', repairs: references(3) },
    ]);
    const parts = constraintsOf({ title: 'Remove', references: references(2 * MAX_REPAIRS + 1) });
    expect(parts.map(({ title }) => title)).toEqual([1, 2, 3].map((part) => `Remove (part ${part} of 3)`));
    expect(parts.flatMap(({ repairs }) => repairs)).toEqual(references(2 * MAX_REPAIRS + 1));
    expect(constraintsOf({ title: 'Remove', references: [] })).toEqual([]);
  });
});
