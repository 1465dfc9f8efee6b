/** The marks that a ticket may take back: those that the connector wrote for it. */
import { expect, it } from 'vitest';
import type { KnownTicket } from '../state/ticketState.ts';
import type { StartedChange, StartedPlan } from '../tickets/planSource.ts';
import type { PlanRepair } from '../tickets/repairs.ts';
import type { TicketReport } from '../tickets/workSystem.ts';
import { markingOf } from './ticketMarks.ts';

const PLAN: StartedPlan = {
  ...{ plan_id: 1, name: 'Plan', adopted_at: '2026-06-01T00:00:00Z', published_at: '2026-06-01T00:00:00Z' },
  ...{ asset_group_tag_id: 1, before: [], now: [], changes: [], repairs: [] },
};

function repairWith(marked: StartedChange['marked']): PlanRepair {
  const change = {
    number: 1,
    title: 'One',
    state: 'open',
    done_count: 0,
    fact_count: 1,
    marked,
    history: [],
  };
  const repair = { number: 1, key: null, title: 'Repair', changes: [1], owner: null, due: null };
  return { key: 'clew-1', plan: PLAN, repair, changes: [change] };
}

const markBy = (by: string, note: string) => ({
  ...{ by, note, at: '2026-06-02T00:00:00Z', evidence: 'waiting' },
});

const CLOSED: TicketReport = {
  ...{ id: '1', labels: ['clew-1'], isClosed: true, isDone: true, state: 'closed (completed)' },
  ...{ assignee: 'bob@corp', closedAt: '2026-06-02T00:00:00Z' },
};
const OPEN: TicketReport = { ...CLOSED, isClosed: false, isDone: false, state: 'open', closedAt: '' };

const ticketOf = (name: string, report: TicketReport, own: Partial<KnownTicket> = {}): KnownTicket => ({
  ...{ key: 'clew-1', planId: 1, planName: 'Plan', title: 'Repair', isFollowed: true, missedAt: 0 },
  ...{ status: 'open', opening: 0, doneCount: 0, isContradicted: false, settled: 'no', report },
  ...{ ref: { id: '1', name, url: 'https://tracker.example/1' }, markedFor: '', markedBy: '' },
  ...own,
});

it.each(['SEC-1', 'team@corp#1', '@@'])(
  'takes back its own mark of %s, with or without a record of it',
  (name) => {
    const set = markingOf(repairWith(null), ticketOf(name, CLOSED));
    expect(set).toMatchObject({ changes: [1], done: true });
    const note = set?.note ?? '';
    expect(note).not.toContain('@');
    const marked = repairWith(markBy('connector', note));
    const recorded = { markedFor: CLOSED.closedAt, markedBy: 'connector' };
    expect(markingOf(marked, ticketOf(name, OPEN, recorded))).toMatchObject({ changes: [1], done: false });
    expect(markingOf(marked, ticketOf(name, OPEN))).toMatchObject({ changes: [1], done: false });
  },
);

it('leaves the marks of people who name the ticket, also without a record of its own', () => {
  for (const note of [
    'Ticket SEC-1: done by me',
    'Ticket SEC-1: , assigned to me',
    'Ticket SEC-1: assigned to me',
  ])
    for (const report of [OPEN, CLOSED])
      expect(markingOf(repairWith(markBy('alice', note)), ticketOf('SEC-1', report))?.changes ?? []).toEqual(
        [],
      );
  // The words of the connector, of a ticket with a longer name.
  const other = markBy('alice', 'Ticket SEC-12: closed, closed 2026-06-02T00:00:00Z, assigned to bob');
  expect(markingOf(repairWith(other), ticketOf('SEC-1', OPEN))).toBeUndefined();
});
