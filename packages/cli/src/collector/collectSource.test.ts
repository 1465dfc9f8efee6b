import type { CollectResult } from '@clew/collect';
import { expect, it } from 'vitest';
import { readingOf, takenByService } from './collectSource.ts';

it('limits notes and texts of a reading to what the service accepts', () => {
  const notes = Array.from({ length: 1_500 }, (_, at) => ({
    ...{ what: `subscription ${at}: ${'a'.repeat(2_000)}`, count: 1, first: 'b'.repeat(2_000) },
  }));
  const cut = takenByService({
    name: 'c'.repeat(2_000),
    controller: 'Graph',
    account: 'd'.repeat(2_000),
    notes,
  });
  expect([cut.notes.length, cut.name.length, cut.account.length]).toEqual([200, 1_000, 1_000]);
  for (const { what, first } of cut.notes) expect([what.length, first.length]).toEqual([300, 300]);
  expect(cut.notes[199].what).toMatch(/^subscription 199: /);
});

it('sends no password that a controller repeats in a note', () => {
  const facts = { domain: 'LAB.TEST', controller: 'dc1.lab.test', highestUsn: '1' } as unknown;
  const source = { credentials: { kind: 'password', user: 'a@lab.test', password: 'a password' } } as const;
  const notes = [{ what: 'not read', count: 1, first: 'refused: a password' }];
  const reading = readingOf({ facts: facts as CollectResult['facts'], notes }, source, true);
  expect(reading.notes).toEqual([{ ...notes[0], first: 'refused: [secret]' }]);
});
