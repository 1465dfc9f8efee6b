import type { CardRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { acceptancesText } from './acceptancesText.ts';

const text = (...acceptances: NonNullable<CardRecord['acceptances']>) =>
  acceptancesText({ accepted_count: 7, acceptances } as unknown as CardRecord);

it('names who accepted most findings of a card, until when, and how many', () => {
  const until = '2026-12-31T12:00:00.000000Z';
  expect(text()).toBe('');
  expect(text({ by: 'alice', until, count: 7 })).toBe(' by alice until Dec 31, 2026');
  expect(text({ by: null, until: null, count: 7 })).toBe(' without an end');
  expect(text({ by: 'al\u0007ice', until, count: 5 }, { by: 'bob', until: null, count: 2 })).toBe(
    ' by al‹0007›ice until Dec 31, 2026 (5 of 7)',
  );
});
