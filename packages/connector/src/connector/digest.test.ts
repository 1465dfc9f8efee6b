/** Digests at a real mail server: one per period, nothing without news, at most once after any failure, names as text. */
import { expect, it } from 'vitest';
import { TicketHarness } from '../../test/ticketHarness.ts';
import { MailModel } from '../../test/trackers/mail.ts';
import { periodAt } from './digest.ts';

const HOSTILE = 'Bob\r\nBcc: x@evil.example\u202e <b>';
const finding = {
  ...{ title: 'Generic all', severity: 'critical', environment_name: 'CORP.EXAMPLE', due: '2026-06-01' },
  ...{ source_principal_name: HOSTILE, target_principal_name: 'ADMINS', overdue: true },
};
const ITEM = { done: false, by: null };
const TO = '2026-06-01T05:00:00.000000Z';
const INBOX = {
  ...{ from: '2026-05-31T05:00:00.000000Z', to: TO, read_before: null, count: 5 },
  groups: [
    {
      group: 'opened',
      count: 25,
      has_more: true,
      items: Array.from({ length: 25 }, (_, at) => ({
        ...ITEM,
        key: `opened:${at}`,
        kind: 'opened',
        finding,
      })),
    },
    {
      group: 'closed',
      count: 1,
      has_more: false,
      items: [{ ...ITEM, key: 'closed:1', kind: 'closed', finding }],
    },
    {
      ...{ group: 'verified', count: 2, has_more: false },
      items: [
        { ...ITEM, key: 'verified:1', kind: 'verified', text: 'Remove it', plan: { id: 1, name: 'Spring' } },
        { ...ITEM, key: 'undone:1', kind: 'undone', text: 'Remove that', plan: { id: 1, name: 'Spring' } },
      ],
    },
    {
      ...{ group: 'waiting', count: 2, has_more: false },
      items: [
        {
          ...ITEM,
          key: 'repair:1',
          kind: 'repair',
          text: 'Late',
          plan: { id: 1, name: 'Spring' },
          due: '2026-05-01',
          overdue: true,
        },
        {
          ...ITEM,
          key: 'repair:2',
          kind: 'repair',
          text: 'In time',
          plan: { id: 1, name: 'Spring' },
          due: '2026-07-01',
          overdue: false,
        },
      ],
    },
  ],
};
const EMPTY = { ...INBOX, groups: INBOX.groups.slice(3) };
const CARD = {
  title: 'Two changes',
  effect: { text: '12% to 3% exposed' },
  packages: [{ title: 'Remove GenericAll' }, { title: 'Other' }],
};

async function make(digest: object): Promise<TicketHarness<MailModel>> {
  const harness = await TicketHarness.make(new MailModel());
  harness.platform = { digest };
  harness.service.inbox = INBOX;
  harness.service.cards = [CARD] as never;
  harness.now = Date.parse('2026-06-01T07:00:00Z');
  return harness;
}

const HOUR = 3_600_000;

it('tells what opened, closed, was verified, came back and is overdue, and the first card, once a day', async () => {
  await using harness = await make({ every: 'day' });
  expect(await harness.run()).toMatchObject({ status: 'complete', created: 1, delivery: { delivered: 1 } });
  const [mail] = harness.system.mails;
  expect(mail?.subject).toBe('Clew: at least 25 opened, 1 closed, 1 verified, 1 came back, 1 overdue');
  const text = mail?.text ?? '';
  for (const part of [
    'Changes from 2026-05-31 07:00 UTC to 2026-06-01 05:00 UTC.',
    'critical: Generic all: Bob Bcc: x@evil.example <b> to ADMINS (CORP.EXAMPLE), due 2026-06-01',
    'Remove that, plan Spring',
    'Late, plan Spring, due 2026-05-01',
    'Remove GenericAll',
    '12% to 3% exposed',
    'https://clew.example/ui/fix',
    'https://clew.example/ui/changes',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('In time');
  expect(text.match(/critical: /g)).toHaveLength(21);
  expect(mail?.headers.has('bcc')).toBe(false);
  // Later on the same day, and in the state after a restart.
  harness.now += 20 * HOUR;
  expect(await harness.run()).toMatchObject({ delivery: { delivered: 0 } });
  harness.now += 4 * HOUR;
  await harness.run();
  expect(harness.system.mails).toHaveLength(2);
  expect(harness.system.mails[1]?.messageId).not.toBe(mail?.messageId);
  expect(harness.service.inboxQueries.map(({ since }) => since)).toEqual(['2026-05-31T07:00:00.000Z', TO]);
  expect(harness.service.requests.some((request) => request.includes('adopted'))).toBe(false);
  expect(harness.system.violations).toEqual([]);
});

it('sends nothing when nothing happened, unless it is asked for', async () => {
  await using quiet = await make({ every: 'day' });
  quiet.service.inbox = EMPTY;
  for (let day = 0; day < 3; day++, quiet.now += 24 * HOUR)
    expect(await quiet.run()).toMatchObject({ status: 'complete', delivery: { delivered: 0 } });
  expect(quiet.system.mails).toEqual([]);
  await using asked = await make({ every: 'day', whenEmpty: true });
  asked.service.inbox = EMPTY;
  await asked.run();
  expect(asked.system.mails[0]?.subject).toBe('Clew: 1 overdue');
  asked.service.inbox = { ...INBOX, groups: [] };
  asked.now += 24 * HOUR;
  await asked.run();
  expect(asked.system.mails[1]?.subject).toBe('Clew: nothing changed');
});

it('tells work that became overdue, once', async () => {
  await using harness = await make({ every: 'day' });
  const [late] = EMPTY.groups[0]!.items;
  harness.service.inbox = {
    ...INBOX,
    groups: [{ ...EMPTY.groups[0], count: 1, items: [{ ...late, due: '2026-05-31' }] }],
  };
  await harness.run();
  harness.now += 24 * HOUR;
  await harness.run();
  expect(harness.system.mails.map(({ subject }) => subject)).toEqual(['Clew: 1 overdue']);
});

it('is sent once a week, from Monday on', async () => {
  await using harness = await make({ every: 'week', hour: 8 });
  // 2026-06-01 is a Monday, one hour before the next week begins.
  await harness.run();
  harness.now += HOUR;
  await harness.run();
  for (let day = 0; day < 7; day++, harness.now += 23 * HOUR) await harness.run();
  expect(harness.system.mails).toHaveLength(2);
  const at = (text: string): number => periodAt(Date.parse(text), { every: 'week' });
  expect(at('2026-06-01T06:00:00Z') - at('2026-06-01T05:59:59Z')).toBe(1);
  expect(at('2026-06-08T05:59:59Z')).toBe(at('2026-06-01T06:00:00Z'));
});

it('waits while the mail server or the service does not answer, and is sent at most once', async () => {
  await using harness = await make({ every: 'day' });
  harness.service.fault = (_, path) => (path.endsWith('/inbox') ? 503 : undefined);
  expect(await harness.run()).toMatchObject({ status: 'failed', delivery: { delivered: 0 } });
  harness.service.fault = () => undefined;
  harness.system.unknown.add('security@example.com');
  expect((await harness.run()).delivery.delivered).toBe(0);
  expect(harness.system.mails).toEqual([]);
  harness.system.unknown.clear();
  await harness.settle();
  expect(harness.system.mails.length).toBeGreaterThan(0);
  expect(new Set(harness.system.mails.map(({ messageId }) => messageId)).size).toBe(
    harness.system.mails.length,
  );
});
