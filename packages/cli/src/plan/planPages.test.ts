import type { CardRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { fallText } from './planPages.ts';

const card = (principals_before: number | null): CardRecord =>
  ({
    ...{ exposed_before: 7, exposed_after: 6, principals_before },
    exposure: [{ exposed_count: 6, principal_count: 91 }],
  }) as CardRecord;

it('a card that removes accounts from the zone starts with the exposure after the previous card', () => {
  expect(fallText(card(89))).toBe('7.9% -> 6.6%');
  expect(fallText(card(null))).toBe('');
});
