/** Messages about repairs: each event once, and at most once after any failure; names without markup. */
import { sampledCases, sampledSteps } from '@clew/common/testing';
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../test/fakePlans.ts';
import { stopped, TicketHarness } from '../../test/ticketHarness.ts';
import { MailModel } from '../../test/trackers/mail.ts';
import { SlackModel, TeamsModel } from '../../test/trackers/messengers.ts';
import type { Fault } from '../../test/trackers/modelSystem.ts';

describe.each([
  ['Slack', () => new SlackModel(), 6],
  ['Teams', () => new TeamsModel(), 6],
  // A mail server waits before it greets.
  ['a mail server', () => new MailModel(), 10],
])('messages to %s', (_, model, stride) => {
  const make = async () => TicketHarness.make(model());
  type Harness = Awaited<ReturnType<typeof make>>;

  /** A repair that is contradicted, verified and undone. */
  const STORY: readonly ((harness: Harness) => void)[] = [
    ({ service }) => void service.add('Plan', 'Take `GenericAll` of <!channel> & **@everyone** away'),
    ({ service }) => {
      const [plan] = service.plans;
      if (plan === undefined) throw new Error('a plan is expected');
      changeOf(plan, 1).marked = { by: 'alice', at: service.tick(), note: '', evidence: 'waiting' };
      service.found(plan, 1, 'open');
    },
    ({ service }) => service.found(service.plans[0] as never, 1, 'done'),
    ({ service }) => service.found(service.plans[0] as never, 1, 'undone', ['GenericAll exists again']),
  ];
  const headlines = ({ system }: Harness) => system.messages.map((text) => text.split(':')[0]);
  const ALL = ['To do', 'Not done', 'Verified', 'Not done'];

  it('tell each event once, with the link', async () => {
    await using harness = await make();
    for (const happen of STORY) {
      happen(harness);
      expect(await harness.run()).toMatchObject({
        status: 'complete',
        marked: 0,
        delivery: { delivered: 1 },
      });
      expect(await harness.run()).toMatchObject({ delivery: { delivered: 0 } });
    }
    expect([headlines(harness), harness.system.violations]).toEqual([ALL, []]);
    const [first, , , last] = harness.system.messages;
    expect(first).toContain('Take `GenericAll` of <!channel> & **@everyone** away');
    expect(first).toContain('https://clew.example/ui/fix/1-1');
    expect(last).toContain('GenericAll exists again');
  });

  it('leave out changes of a long repair, and not the message', async () => {
    await using harness = await make();
    const titles = Array.from({ length: 200 }, (__, at) => `${at} ${'é'.repeat(900)}`);
    const plan = harness.service.add('Plan', ...titles);
    plan.repairs = plan.repairs
      .slice(0, 1)
      .map((one) => ({ ...one, changes: plan.changes.map(({ number }) => number) }));
    expect(await harness.run()).toMatchObject({ status: 'complete', delivery: { delivered: 1 } });
    expect(harness.system.messages[0]).toContain('https://clew.example/ui/fix/1-1');
  });

  it('tell a deleted plan once, by its name, and its return', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const first = service.add('First', 'One', 'Two');
    const second = service.add('Second', 'Three');
    await harness.settle();
    system.messages.length = 0;
    service.plans.length = 0;
    await harness.settle();
    await harness.settle();
    await harness.settle();
    expect(system.messages.map((text) => text.split('\n')[0]).toSorted()).toEqual([
      'News of: the started plan First',
      'News of: the started plan Second',
    ]);
    for (const text of system.messages) expect(text).toContain('Its repairs are no longer updated');
    service.plans.push(first, second);
    system.messages.length = 0;
    await harness.settle();
    await harness.settle();
    expect(system.messages.filter((text) => text.includes('Its repairs are updated again'))).toHaveLength(2);
    expect([system.messages.length, system.violations]).toEqual([2, []]);
  });

  it('are sent at most once when the process is killed at any step', async () => {
    const { first, step } = sampledSteps(stride);
    for (const at of sampledCases([...STORY.keys()], 2)) {
      const losses: boolean[] = [];
      for (let last = 1 + first; ; last += step) {
        await using harness = await make();
        const isKilled = await harness.play(STORY, { at, statements: last, settles: 1 });
        // If the process ended between recording and acknowledgement, the outcome of the message is unknown.
        const { rejected } = (await harness.run()).health;
        const isLost = headlines(harness).length < ALL.length;
        expect(headlines(harness)).toEqual(isLost ? ALL.toSpliced(at, 1) : ALL);
        if (isLost) expect([last, rejected]).toEqual([last, 1]);
        losses.push(isLost);
        if (!isKilled) break;
      }
      expect(losses.filter(Boolean).length).toBeLessThanOrEqual(1);
      expect(losses.filter((isLost) => !isLost).length).toBeGreaterThan(10 / step);
    }
  }, 600_000);

  it('are sent once when a stop comes while the system is asked', async () => {
    await using harness = await make();
    const abort = new AbortController();
    STORY[0]?.(harness);
    harness.system.fault = () => void abort.abort(new Error('stopped'));
    await stopped(harness.run(undefined, abort.signal));
    harness.system.fault = () => undefined;
    expect(await harness.settle()).toMatchObject({ health: { waiting: 0, rejected: 0 } });
    expect(headlines(harness)).toEqual(ALL.slice(0, 1));
  });

  it.each<[string, Fault, boolean, number]>([
    ['429', { status: 429, headers: { 'retry-after': '30' } }, true, 0],
    ['404', { status: 404 }, true, 1],
    ['403', { status: 403 }, true, 0],
    ['400', { status: 400 }, false, 0],
    ['500', { status: 500 }, false, 1],
    ['a break before', 'lost', false, 0],
    ['a break after', 'taken', false, 1],
  ])('are sent at most once when one meets %s', async (__, fault, isSent, shift) => {
    // Every second message of a fault, and the others of the next one: the night tries all.
    for (const at of sampledCases([...ALL.keys()], 2, shift)) {
      await using harness = await make();
      harness.system.fault = (number) => (number === at ? fault : undefined);
      for (const happen of STORY) {
        happen(harness);
        await harness.run();
        await harness.settle();
      }
      const arrived = isSent || fault === 'taken' ? ALL : ALL.toSpliced(at, 1);
      expect(headlines(harness)).toEqual(arrived);
      const { health } = await harness.run();
      expect(health).toMatchObject({ waiting: 0, rejected: isSent ? 0 : 1 });
      for (const secret of harness.system.secrets) expect(await harness.written()).not.toContain(secret);
    }
  });
});
