/** Digests at a real mail server: one per period, nothing without news, at most once after any failure, names as text. */
import { expect, it } from 'vitest';
import { changeOf, type FakePlan } from '../../test/fakePlans.ts';
import { TicketHarness } from '../../test/ticketHarness.ts';
import { MailModel } from '../../test/trackers/mail.ts';
import { periodAt } from './digest.ts';

const HOSTILE = 'Bob\r\nBcc: x@evil.example\u202e <b>';
const finding = {
  ...{ title: 'Generic all', severity: 'critical', environment_name: 'CORP.EXAMPLE', due: '2026-06-01' },
  ...{ source_principal_name: HOSTILE, target_principal_name: 'ADMINS', overdue: true },
};
const TO = '2026-06-01T05:00:00.000000Z';
const groupOf = (group: string, count: number, rows: number) => ({
  ...{ group, count, has_more: false },
  items: Array.from({ length: rows }, (_, at) => ({
    ...{ key: `${group}:${at}`, kind: group, done: false, by: null, finding },
  })),
});
const inboxOf = (...groups: object[]) => ({
  ...{ from: '2026-05-31T05:00:00.000000Z', to: TO, read_before: null, count: 5 },
  groups,
});
const INBOX = inboxOf(groupOf('opened', 500, 20), groupOf('closed', 1, 1));
const EMPTY = inboxOf();
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

/** Simulates the comparison of a plan with the analysis of this time, in which its only change is in this state. */
function compared(plan: FakePlan, at: string, state: 'done' | 'undone'): void {
  plan.published_at = at;
  Object.assign(changeOf(plan, 1), { state });
  changeOf(plan, 1).history.push({ state, at, moved: [] });
}

function overdueRepair(harness: TicketHarness<MailModel>, title: string, due: string): FakePlan {
  const plan = harness.service.add('Autumn', title);
  Object.assign(plan.repairs[0]!, { due, overdue: true });
  return plan;
}

it('tells what opened, closed, was verified, came back and is overdue, and the first card, once a day', async () => {
  await using harness = await make({ every: 'day' });
  const { service } = harness;
  const plan = service.add('Spring', 'Remove it', 'Remove that');
  for (const [number, state] of [
    [1, 'done'],
    [2, 'done'],
    [2, 'undone'],
  ] as const)
    service.found(plan, number, state);
  overdueRepair(harness, 'Late', '2026-05-01');
  service.add('Winter', 'In time').repairs[0]!.due = '2026-07-01';
  service.overdue = { count: 70, data: Array(70).fill({ ...finding, due: '2026-04-30' }) };
  expect(await harness.run()).toMatchObject({ status: 'complete', created: 1, delivery: { delivered: 1 } });
  const [mail] = harness.system.mails;
  expect(mail?.subject).toBe('Clew: 500 opened, 1 closed, 2 verified, 1 came back, 71 overdue');
  const text = mail?.text ?? '';
  for (const part of [
    'Changes from 2026-05-31 07:00 UTC to 2026-06-01 05:00 UTC.',
    'critical: Generic all: Bob Bcc: x@evil.example <b> to ADMINS (CORP.EXAMPLE), due 2026-06-01',
    'Remove that, plan Spring',
    'Repair: Late, plan Autumn, due 2026-05-01',
    'Remove GenericAll',
    '12% to 3% exposed',
    'https://clew.example/ui/fix',
    'https://clew.example/ui/changes',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('In time');
  expect(text.match(/critical: /g)).toHaveLength(20 + 1 + 19);
  expect(mail?.headers.has('bcc')).toBe(false);
  // Later on the same day, and in the state after a restart.
  harness.now += 20 * HOUR;
  expect(await harness.run()).toMatchObject({ delivery: { delivered: 0 } });
  harness.now += 4 * HOUR;
  await harness.run();
  expect(harness.system.mails).toHaveLength(2);
  expect(harness.system.mails[1]?.messageId).not.toBe(mail?.messageId);
  expect(harness.service.inboxQueries.map(({ since }) => since)).toEqual(['2026-05-31T07:00:00.000Z', TO]);
  expect(harness.service.requests.some((request) => request.includes('marks'))).toBe(false);
  expect(harness.system.violations).toEqual([]);
});

it('does not believe times, days and severities of the service, and tells later news', async () => {
  await using harness = await make({ every: 'day' });
  const { service } = harness;
  const hostile = { ...finding, due: `2026-04-30 ${HOSTILE}`, severity: `<b>[x](https://evil.example)` };
  service.inbox = { ...inboxOf(groupOf('opened', 1, 1)), to: `2026-06-01T05:00 ${HOSTILE}` };
  service.overdue = { count: 2, data: [hostile, { ...finding, due: '9999-12-31' }] };
  overdueRepair(harness, 'Late', `2026-05-01\r\nBcc: x@evil.example`);
  await harness.run();
  const [mail] = harness.system.mails;
  const text = mail?.text ?? '';
  expect(text).toContain('Changes from 2026-05-31 07:00 UTC to 2026-05-31 07:00 UTC.');
  expect(text).toContain('Repair: Late, plan Autumn, due unknown');
  expect(text).toMatch(/\(CORP\.EXAMPLE\), due unknown/);
  expect(text.match(/evil\.example/g)).toHaveLength(4);
  // A later digest reports work that becomes overdue.
  service.inbox = EMPTY;
  service.overdue = { count: 3, data: [hostile, { ...finding, due: '2026-06-01' }] };
  harness.now += 24 * HOUR;
  await harness.run();
  expect(service.inboxQueries.map(({ since }) => since)).toEqual(Array(2).fill('2026-05-31T07:00:00.000Z'));
  expect(harness.system.mails.map(({ subject }) => subject)).toEqual([
    ...['Clew: 1 opened, 3 overdue', 'Clew: 4 overdue'],
  ]);
});

it('sends nothing when nothing happened, unless it is asked for', async () => {
  await using quiet = await make({ every: 'day' });
  quiet.service.inbox = EMPTY;
  overdueRepair(quiet, 'Late', '2026-05-01');
  for (let day = 0; day < 3; day++, quiet.now += 24 * HOUR)
    expect(await quiet.run()).toMatchObject({ status: 'complete', delivery: { delivered: 0 } });
  expect(quiet.system.mails).toEqual([]);
  await using asked = await make({ every: 'day', whenEmpty: true });
  asked.service.inbox = EMPTY;
  const late = overdueRepair(asked, 'Late', '2026-05-01');
  await asked.run();
  expect(asked.system.mails[0]?.subject).toBe('Clew: 1 overdue');
  late.repairs[0]!.overdue = false;
  asked.now += 24 * HOUR;
  await asked.run();
  expect(asked.system.mails[1]?.subject).toBe('Clew: nothing changed');
});

it('tells work that became overdue, once, also without a new analysis', async () => {
  await using harness = await make({ every: 'day' });
  harness.service.inbox = { ...EMPTY, to: '2026-05-20T05:00:00.000000Z' };
  const nextDay = async (): Promise<unknown> => {
    await harness.run();
    harness.now += 24 * HOUR;
    return harness.system.mails.splice(0).map(({ subject }) => subject);
  };
  overdueRepair(harness, 'Late', '2026-05-31');
  expect(await nextDay()).toEqual(['Clew: 1 overdue']);
  expect(await nextDay()).toEqual([]);
  harness.service.overdue = { count: 1, data: [{ ...finding, due: '2026-06-02' }] };
  expect(await nextDay()).toEqual(['Clew: 2 overdue']);
  expect(await nextDay()).toEqual([]);
});

it('tells a change of a plan that is compared after the digest of its analysis, once', async () => {
  await using harness = await make({ every: 'day' });
  const [late, early] = [harness.service.add('Late', 'Slow'), harness.service.add('Early', 'Fast')];
  compared(early, TO, 'done');
  const subjects: unknown[] = [];
  for (let day = 0; day < 4; day++, harness.now += 24 * HOUR) {
    await harness.run();
    harness.service.inbox = EMPTY;
    if (day === 0) compared(late, TO, 'done');
    if (day === 1) compared(early, '2026-06-02T08:00:00.000000Z', 'undone');
    subjects.push(...harness.system.mails.splice(0).map(({ subject }) => subject));
  }
  expect(subjects).toEqual([
    'Clew: 500 opened, 1 closed, 1 verified',
    'Clew: 1 verified',
    'Clew: 1 came back',
  ]);
});

it('has other ids than the digest of another token or service for the same receivers', async () => {
  const ids = new Set<string | undefined>();
  for (const settings of [{}, { tokenId: 'other' }, { server: 'https://other.example' }]) {
    await using harness = await make({ every: 'day' });
    harness.settings = settings;
    await harness.run();
    ids.add(harness.system.mails[0]?.messageId);
  }
  expect(ids.size).toBe(3);
  expect(ids).not.toContain(undefined);
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
