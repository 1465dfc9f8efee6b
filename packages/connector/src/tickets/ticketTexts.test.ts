/** Texts of tickets promise no more than a collection can prove. */
import { expect, it } from 'vitest';
import type { PlanRepair } from './repairs.ts';
import { contradictionText, newTicket } from './ticketTexts.ts';

const REPAIR = {
  key: 'clew-1',
  plan: { plan_id: 1, name: 'Spring', published_at: '2026-06-01T00:00:00Z', before: [], now: [] },
  repair: { number: 1, title: 'Remove it', owner: null, due: null },
  changes: [
    {
      ...{ title: 'Remove GenericAll', state: 'open', done_count: 0, fact_count: 1, history: [] },
      marked: { by: 'ann', at: '2026-05-31T00:00:00Z', note: '', evidence: 'contradicted', waits_for: null },
    },
  ],
} as unknown as PlanRepair;

it('says in a new ticket what proves nothing, and that changes have to be replicated first', () => {
  const text = JSON.stringify(newTicket('https://clew.example', REPAIR, undefined).body);
  expect(text).not.toContain('The next collection verifies them');
  expect(text).toContain('a session that is not seen again, or a host that does not answer, proves nothing');
  expect(text).toContain('has to be replicated');
});

it('does not claim that changes were not made, if a collection may have been too early', () => {
  const text = JSON.stringify(contradictionText('https://clew.example', REPAIR));
  expect(text).toContain('The analysis of 2026-06-01 00:00 UTC does not show the changes');
  expect(text).not.toContain('are not made');
  expect(text).toContain('Remove GenericAll');
  expect(text).toContain('has to be replicated');
  expect(text).toContain('close this ticket again: it is not reopened');
  // A change that exists again was seen as done before.
  const changes = REPAIR.changes.map((change) => ({ ...change, state: 'undone' as const, marked: null }));
  const again = JSON.stringify(contradictionText('https://clew.example', { ...REPAIR, changes }));
  expect(again).toContain('does not show the changes');
  expect(again).not.toContain('has to be replicated');
});
