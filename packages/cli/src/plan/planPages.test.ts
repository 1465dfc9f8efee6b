import type { CardRecord, PlanRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { fallText, moreCards, OUTDATED, planMarkdown, planText } from './planPages.ts';

const card = (principals_before: number | null): CardRecord =>
  ({
    ...{ exposed_before: 7, exposed_after: 6, principals_before },
    exposure: [{ exposed_count: 6, principal_count: 91 }],
  }) as CardRecord;

it('a card that removes accounts from the zone starts with the exposure after the previous card', () => {
  expect(fallText(card(89))).toBe('7.9% -> 6.6%');
  expect(fallText(card(null))).toBe('');
});

const of = (exposed_count: number) => ({
  ...{ environment_id: 'A', environment_name: 'A', exposed_count, principal_count: 600, exposure: 0 },
});

/** A plan of a limited user whose first cards are hidden. */
const limitedPlan = (more: object = {}): PlanRecord =>
  ({
    ...{ before: [of(193)], effort: [], not_shown: [{ environment_name: 'B', reason: 'Not shown: hidden' }] },
    ...{ card_count: 1, end: { text: '' }, decisions: [], authority_questions: [], not_read: [] },
    ...{ excluded: { constraints: [] }, computing: null, left: null, generation: 2, ...more },
    cards: [
      {
        ...{ title: 'Remove it', packages: [], paths: [], effect: { text: '' }, cost: 1, bound: null },
        ...{ exposed_before: 60, principals_before: 600, exposed_after: 0, exposure: [of(0)] },
        ...{ affected_count: 0, closed: [], closed_count: 0, rests_on_sessions: false },
      },
    ],
  }) as unknown as PlanRecord;

const textOf = (plan: PlanRecord): string =>
  planText({ style: (_, text) => text, width: 200 }, plan, (kind) => kind);

it('names the types of findings that a card opens', () => {
  const [first] = limitedPlan().cards;
  const opened = [{ title: 'Unused Accounts' }, { title: 'Unused Accounts' }];
  const plan = { ...limitedPlan(), cards: [{ ...first, opened_count: 2, opened }] } as unknown as PlanRecord;
  expect(textOf(plan)).toContain('brings    2 other findings: Unused Accounts\n');
});

it('hidden cards before the first one explain its figures, and hidden environments have a line', () => {
  const line = 'Changes outside your access come first: they lower the exposure from 32.2% to 10.0%.';
  const text = textOf(limitedPlan());
  expect(text).toMatch(new RegExp(`${line}\\n *1\\. Remove it: 10.0% -> 0%`));
  expect(text).toContain('B: Not shown: hidden');
  expect(planMarkdown(limitedPlan())).toContain(`${line.replace('>', '\\>')}\n\n## 1. Remove it`);
});

it('a plan that is older than the constraints says so, and not that the search continues', () => {
  const computing = { generation: 2, fault: null };
  const older = textOf(limitedPlan({ computing, excluded: { constraints: [], is_outdated: true } }));
  expect(older).toContain(OUTDATED);
  expect(older).not.toContain('These are the first cards');
  expect(textOf(limitedPlan({ computing }))).toContain('These are the first cards');
});

it.each([
  [2, 2, undefined],
  [2, 3, '1 more card: --limit 3 shows them.'],
  [2, 51, '49 more cards: --limit 50 shows the first 50.'],
])('%i of %i cards: the rest is %j', (shown, card_count, text) => {
  const cards: PlanRecord['cards'] = Array.from({ length: shown }, () => card(null));
  expect(moreCards({ cards, card_count })).toBe(text);
});
