import type { AdoptedChange } from '@clew/api';
import { describe, expect, it } from 'vitest';
import type { FoundEntry } from '../tasks/startedPlan.ts';
import {
  cameBackAfterMark,
  countTexts,
  effectText,
  proofCounts,
  proofOf,
  sentenceOf,
  startOfState,
} from './proofTexts.ts';

const entry = (state: string, generation: number, more: Partial<FoundEntry> = {}): FoundEntry => ({
  ...{ state, generation, at: `2026-06-0${generation}T00:00:00.000000Z`, ...more },
});
const change = (state: AdoptedChange['state']): AdoptedChange => ({
  ...{ number: 1, title: '', package: '', state, done_count: 0, fact_count: 2, marked: null, history: [] },
  ...{ proof: 'open', text: '' },
});
const NOTHING = { sight: undefined, others: [] };

describe('the sentence of a proof', () => {
  it('names the analysis in which a change came back, not a later one in which more of it did', () => {
    const entries = [
      entry('undone', 5),
      entry('done', 2),
      entry('undone', 4),
      entry('undone', 3),
      entry('open', 1),
    ];
    const start = startOfState(entries, change('undone'));
    expect(start?.generation).toBe(3);
    expect(sentenceOf('came-back', change('undone'), { ...NOTHING, start })).toBe(
      'It was done, but exists again since the analysis on 2026-06-03',
    );
    expect(
      startOfState([entry('undone', 3), ...entries.slice(1, 2), entry('done', 6)], change('done'))
        ?.generation,
    ).toBe(6);
    expect(startOfState([], change('open'))).toBe(undefined);
  });

  it('claims a single upload only if there was one', () => {
    const textOf = (count: number, more: Partial<FoundEntry> = {}): string => {
      const jobs = Array.from({ length: count }, (_, at) => ({ id: at + 1, by: at === 0 ? 'ann' : null }));
      return sentenceOf('proved', change('done'), { ...NOTHING, start: entry('done', 2, { jobs, ...more }) });
    };
    const found = 'An analysis on 2026-06-02 found it done';
    expect(textOf(0)).toBe(found);
    expect(textOf(1)).toBe(`${found}, first shown by upload 1 of ann`);
    expect(textOf(2)).toBe(`${found}, first shown by one of the uploads 1 of ann, 2`);
    expect(textOf(2, { has_more_jobs: true })).toBe(
      `${found}, first shown by one of the uploads 1 of ann, 2 and later ones`,
    );
  });

  it('says that a change came back only after its mark, and who marked it', () => {
    const marked = (at: string): AdoptedChange => ({
      ...change('undone'),
      marked: { by: 'ann', at, note: '', evidence: 'contradicted', waits_for: null },
      history: [{ state: 'undone', generation: 3, at: '2026-06-03', since: null, moved: [], jobs: [] }],
    });
    const [right, wrong] = [marked('2026-06-02'), marked('2026-06-04')];
    expect([right, wrong].map(cameBackAfterMark)).toEqual([true, false]);
    expect([right, wrong].map(proofOf)).toEqual(['came-back', 'contradicted']);
    expect(sentenceOf('came-back', right, { ...NOTHING, start: entry('undone', 3) })).toBe(
      'It was done, but exists again since the analysis on 2026-06-03; ann marked it as done on 2026-06-02',
    );
    const changes = [right, wrong, change('not-seen'), change('done')].map((one) => ({
      proof: proofOf(one),
    }));
    expect(countTexts(proofCounts(changes))).toEqual([
      '1 marked as done, but a later collection does not show it',
      '1 exists again',
      '1 not seen again, which is not proof',
    ]);
  });

  it('names other values of a change that stays open', () => {
    const others = ['machineaccountquota of CORP is now 20, not 0'];
    expect(sentenceOf('open', change('open'), { ...NOTHING, start: undefined, others })).toBe(
      'Not done; machineaccountquota of CORP is now 20, not 0',
    );
  });
});

it('says of a card whose objects were deleted that its effect is not known, and of a later card that it has no promise', () => {
  const exposure = (exposed_count: number) => [
    {
      ...{ environment_id: 'E', environment_name: 'CORP', asset_group_tag_id: 1 },
      ...{ exposed_count, principal_count: 10, exposure: exposed_count / 10 },
    },
  ];
  const promised = { before: exposure(10), after: exposure(5) };
  const none = { before: [], after: [] };
  const text = effectText(promised, null, { isUnknown: true, hasNoPromise: false });
  expect(text).toBe(
    'predicted 100% -> 50.0%, done, but not measured, because objects of its changes no longer exist',
  );
  expect(effectText(none, promised, { isUnknown: false, hasNoPromise: true })).toBe(
    'no prediction, because cards before it were not started, reached 100% -> 50.0%',
  );
  expect(effectText(none, null, { isUnknown: false, hasNoPromise: false })).toBe('');
});
