import { describe, expect, it } from 'vitest';
import { comparedWith } from './comparedClaims.ts';
import type { StoredClaim } from './kitClaims.ts';

const RUN_AT = '2026-11-30T09:05:00.000000Z';
const EARLIER = '2026-11-30T09:00:00.000000Z';
const LATER = '2026-12-01T10:00:00.000000Z';
/** An analysis after the run. */
const ANALYZED = '2026-11-30T09:10:00.000000Z';
const FILE = { added_at: '2026-11-30T09:06:00.000000Z' };
const CLAIM: StoredClaim = {
  ...{ change: 1, mode: 'Apply', at: RUN_AT, computer: '', host: 'DC1', before: false, after: true },
  ...{ changed: 'yes', pending: false, code: 0, other_before: false, saved: [] },
};
const UNDO: StoredClaim = { ...CLAIM, mode: 'Undo' };
const DECLINED: StoredClaim = { ...CLAIM, changed: 'no', after: false, code: 2 };

type State = 'open' | 'done' | 'undone' | 'not-seen';
const entry = { generation: 2, at: ANALYZED, since: null, moved: [], jobs: [] };
const compared = (
  claim: StoredClaim,
  state: State,
  collectedAt: string | null,
  others: readonly string[] = [],
  kind: 'transcript' | 'backup' = 'transcript',
) =>
  comparedWith(
    { ...FILE, kind },
    claim,
    {
      change: { state, history: state === 'done' || state === 'undone' ? [{ state, ...entry }] : [] },
      ...{ collectedAt, others },
    },
    ANALYZED,
  );

describe('a claim', () => {
  it('is compared by the date of the collection, whenever it was analyzed', () => {
    const verdicts = (claim: StoredClaim, state: State) =>
      [null, EARLIER, LATER].map((at) => compared(claim, state, at).verdict);
    expect(verdicts(CLAIM, 'open')).toEqual(['waits', 'waits', 'disagrees']);
    expect(verdicts(CLAIM, 'undone')).toEqual(['waits', 'waits', 'disagrees']);
    expect(verdicts(CLAIM, 'done')).toEqual(['agrees', 'agrees', 'agrees']);
    expect(verdicts(CLAIM, 'not-seen')).toEqual(['waits', 'waits', 'waits']);
    expect(verdicts(UNDO, 'open')).toEqual(['waits', 'waits', 'agrees']);
    expect(verdicts(UNDO, 'undone')).toEqual(['waits', 'waits', 'agrees']);
    expect(verdicts(UNDO, 'done')).toEqual(['waits', 'waits', 'disagrees']);
  });

  it('of an undoing does not agree with another value', () => {
    expect(compared(UNDO, 'open', LATER, ['enabled of A is 5']).verdict).toBe('disagrees');
  });

  it('names other values, and facts that were not seen again prove nothing', () => {
    expect(compared({ ...CLAIM, other_before: true }, 'open', LATER, ['enabled of A is 5'])).toEqual({
      verdict: 'disagrees',
      text: 'The transcript says made on DC1 at 2026-11-30 09:05 UTC; the script was made for another value before than the plan has; the collection of 2026-12-01 shows another value: enabled of A is 5',
    });
    expect(compared(CLAIM, 'not-seen', LATER).text).toMatch(
      /; not seen again since the analysis of 2026-11-30, which is not proof$/,
    );
    // A time in the future holds no collection up.
    expect(compared({ ...CLAIM, at: '2999-01-01T00:00:00.000000Z' }, 'open', LATER).verdict).toBe(
      'disagrees',
    );
  });

  it.each([
    [{}, 'says made on DC1 at 2026-11-30 09:05 UTC'],
    [
      { after: false, pending: true, code: 2 },
      'says made on DC1 at 2026-11-30 09:05 UTC, while the object still inherited it, or the folder of the policy still gave it',
    ],
    [
      { after: false, code: 4 },
      'says made on DC1 at 2026-11-30 09:05 UTC, but not found as wanted at the end, exit code 4',
    ],
    [
      { after: null, code: 4 },
      'says made on DC1 at 2026-11-30 09:05 UTC, but not found as wanted at the end, exit code 4',
    ],
    [{ changed: 'no', before: true }, 'says that it was found made on DC1 at 2026-11-30 09:05 UTC'],
    [{ changed: 'no', mode: 'Verify' }, 'says that it was found made on DC1 at 2026-11-30 09:05 UTC'],
    [{ mode: 'Undo', after: null }, 'says undone on DC1 at 2026-11-30 09:05 UTC'],
  ] as const)('of a change that was made waits and agrees: %j', (more, said) => {
    const claim: StoredClaim = { ...CLAIM, ...more };
    const state = claim.mode === 'Undo' ? 'open' : 'done';
    expect(compared(claim, 'open', null)).toEqual({
      ...{ verdict: 'waits', text: `The transcript ${said}; no collection has looked since` },
    });
    expect(compared(claim, state, LATER).verdict).toBe('agrees');
  });

  it.each([
    [
      { changed: 'unknown', after: null, code: 4 },
      'says that the change failed, and that a part may be made on DC1 at 2026-11-30 09:05 UTC, exit code 4',
    ],
    [
      { changed: 'no', mode: 'Verify', after: false, pending: true, code: 2 },
      'says that the object still inherited it, or the folder of the policy still gave it on DC1 at 2026-11-30 09:05 UTC',
    ],
  ] as const)('of a change that may be made is not wrong if it was not: %j', (more, said) => {
    const claim: StoredClaim = { ...CLAIM, ...more };
    expect(compared(claim, 'open', null)).toEqual({
      ...{ verdict: 'waits', text: `The transcript ${said}; no collection has looked since` },
    });
    expect(compared(claim, 'done', LATER).verdict).toBe('agrees');
    expect(compared(claim, 'open', LATER)).toMatchObject({
      ...{
        verdict: 'not-made',
        text: expect.stringMatching(/; the collection of 2026-12-01 shows the facts from before$/),
      },
    });
    const undo: StoredClaim = { ...claim, mode: 'Undo', changed: 'unknown', pending: false };
    expect([compared(undo, 'open', LATER).verdict, compared(undo, 'done', LATER).verdict]).toEqual([
      ...['agrees', 'not-made'],
    ]);
  });

  it('of a backup, which is written before the change, is not wrong if the change was not made', () => {
    const backup: StoredClaim = { ...CLAIM, before: false, after: null, changed: 'unknown', code: null };
    const found = (state: State, at: string | null, others: readonly string[] = []) =>
      compared(backup, state, at, others, 'backup');
    const text = 'The backup was written on DC1 at 2026-11-30 09:05 UTC';
    expect(found('open', EARLIER)).toEqual({
      ...{ verdict: 'waits', text: `${text}; no collection has looked since` },
    });
    expect(found('done', LATER)).toEqual({
      ...{ verdict: 'agrees', text: `${text}; the analysis of 2026-11-30 shows it done` },
    });
    expect(found('open', LATER)).toEqual({
      ...{ verdict: 'not-made', text: `${text}; the collection of 2026-12-01 shows the facts from before` },
    });
    expect(found('open', LATER, ['enabled of A is 5']).verdict).toBe('not-made');
    expect(found('undone', LATER).verdict).toBe('not-made');
    expect(found('not-seen', LATER).verdict).toBe('waits');
  });

  it('of a run that changed nothing is not made, and names an analysis that shows the change done', () => {
    expect(compared(DECLINED, 'open', LATER)).toEqual({
      ...{
        verdict: 'not-made',
        text: 'The transcript says that it was not made on DC1 at 2026-11-30 09:05 UTC, exit code 2',
      },
    });
    expect(compared(DECLINED, 'done', LATER)).toEqual({
      verdict: 'not-made',
      text: 'The transcript says that it was not made on DC1 at 2026-11-30 09:05 UTC, exit code 2; the analysis of 2026-11-30 shows it done',
    });
    expect(compared({ ...UNDO, changed: 'no', after: null, code: 3 }, 'done', LATER)).toEqual({
      verdict: 'not-made',
      text: 'The transcript says that undoing failed or was declined on DC1 at 2026-11-30 09:05 UTC',
    });
  });
});
