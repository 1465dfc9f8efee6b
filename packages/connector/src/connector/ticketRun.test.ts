/** Tickets of started plans in every tracker: created once, states read back as marks, reopened once. */
import { sampledCases } from '@clew/common/testing';
import { describe, expect, it } from 'vitest';
import { CARD, changeOf } from '../../test/fakePlans.ts';
import { beginPlan, TicketHarness } from '../../test/ticketHarness.ts';
import { TRACKER_MODELS, trackerModel } from '../../test/trackers/models.ts';
import { openWorkSystem } from '../tickets/systems/index.ts';

const HOUR = 3_600_000;
const KEPT = { event_id: expect.any(String), kind: 'close' };

/** Whether a request creates a ticket. */
const isCreation = (method: string, path: string): boolean =>
  method === 'POST' && /\/issues?$|\/workitems\/\$Task\?|\/table\/incident\?/.test(path);

// `faultMatrix` plays the life of a ticket in each tracker in each run.
describe.each(sampledCases(TRACKER_MODELS, 2))('tickets in %s', (type) => {
  const make = async () => TicketHarness.make(trackerModel(type));

  it('are made once for each repair that is to do, with all that the work needs', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const plan = service.add('First plan', 'Remove GenericAll', 'Disable the account', 'Done already');
    service.found(plan, 3, 'done');
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 2, delivery: { delivered: 2 } });
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 0, delivery: { delivered: 0 } });
    expect(system.tickets.map(({ title }) => title)).toEqual([
      'Repair: Remove GenericAll',
      'Repair: Disable the account',
    ]);
    const [first, second] = system.tickets.map(({ body }) => body);
    for (const text of ['First plan', 'Remove GenericAll', '120 before this repair, 80 after', 'ui/fix/1-1'])
      expect(first).toContain(text);
    // Its card is not in the current plan.
    expect(second).toContain('120 of 184 without its finished changes, 90 now');
    expect(system.violations).toEqual([]);
  });

  it('show the effect of a card of several repairs as that of all of them', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One', 'Two');
    const [first] = CARD.packages;
    const other = { ...first, key: 'key-9' };
    const both = [first, { ...first, key: 'key-1' }];
    service.cards = [
      { ...CARD, packages: [other] },
      { ...CARD, packages: both },
    ];
    await harness.settle();
    expect(system.tickets).toHaveLength(2);
    for (const { body } of system.tickets)
      expect(body).toContain('120 before and 80 after the 2 repairs of card 2, which are needed together.');
  });

  it('say that nothing is left to do where no collection can prove it, correct it, and each once more', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const plan = service.add('Plan', 'The right', 'The session');
    plan.repairs = plan.repairs.slice(0, 1).map((one) => ({ ...one, changes: [1, 2] }));
    await harness.settle();
    const [ticket] = system.tickets;
    if (ticket === undefined) throw new Error('a ticket is expected');
    service.found(plan, 2, 'not-seen');
    expect(await harness.settle()).toMatchObject({ updated: 0 });
    service.found(plan, 1, 'done');
    expect(await harness.settle()).toMatchObject({ status: 'complete', updated: 1 });
    expect(ticket.comments).toHaveLength(1);
    expect(ticket.comments[0]).toContain(
      '1 of 2 changes is done, and the facts of the others were not seen again. This proves nothing',
    );
    expect(ticket.comments[0]).toContain('The session');
    // Sessions come and go. The last comment is true of each later state, and no more follow.
    const states = ['open', 'not-seen', 'open', 'not-seen', 'open'] as const;
    for (const [at, state] of states.entries()) {
      service.found(plan, 2, state);
      expect(await harness.settle()).toMatchObject({ updated: at < 3 ? 1 : 0, closed: 0 });
    }
    expect([ticket.isClosed, ticket.comments.length]).toEqual([false, 4]);
    for (const comment of [ticket.comments[1], ticket.comments[3]]) {
      expect(comment).toMatch(/Corrects an earlier comment: .* Their facts exist again/);
      expect(comment).toContain('The session');
      expect(comment).not.toContain('The right');
    }
    expect(ticket.comments[2]).toContain('the facts of the others were not seen again. This proves nothing');
    expect(ticket.comments[1]).not.toContain('come and go');
    expect(ticket.comments[3]).toContain('come and go between collections. This ticket gets no further');
    service.found(plan, 2, 'not-seen');
    // Someone closes it: the mark stays, because no analysis contradicts it.
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    service.found(plan, 2, 'not-seen');
    expect(await harness.settle()).toMatchObject({ updated: 0 });
    expect([ticket.isClosed, changeOf(plan, 2).marked?.evidence]).toEqual([true, 'waiting']);
    // It is said again after a later opening.
    service.found(plan, 2, 'open');
    await harness.settle();
    expect([ticket.isClosed, ticket.comments.length]).toEqual([false, 5]);
    service.found(plan, 2, 'not-seen');
    await harness.settle();
    expect(ticket.comments).toHaveLength(6);
    expect([system.tickets.length, system.violations]).toEqual([1, []]);
  });

  it('come back as marks with their name, and as nothing else', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const plan = service.add('Plan', 'One', 'Two');
    changeOf(plan, 2).marked = { by: 'alice', at: service.tick(), note: 'mine', evidence: 'waiting' };
    await harness.run();
    // Someone marked it as done, so there is no work.
    expect(system.tickets).toHaveLength(1);
    changeOf(plan, 2).marked = null;
    await harness.settle();
    const [one, two] = system.tickets;
    if (one === undefined || two === undefined) throw new Error('two tickets are expected');
    changeOf(plan, 2).marked = { by: 'alice', at: service.tick(), note: 'mine', evidence: 'waiting' };
    system.close(one, 'bob@corp');
    system.close(two, 'bob@corp');
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 1 });
    const mark = changeOf(plan, 1).marked;
    expect(mark?.note).toMatch(/^Ticket \S+: .+, closed \S+, assigned to bob at corp$/);
    expect(changeOf(plan, 2).marked).toMatchObject({ by: 'alice', note: 'mine' });
    expect(await harness.settle()).toMatchObject({ marked: 0 });
    expect(changeOf(plan, 1).marked).toEqual(mark);
    system.open(one);
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    expect([changeOf(plan, 1).marked, changeOf(plan, 2).marked?.by]).toEqual([null, 'alice']);
    const methods = service.requests.filter((request) => !request.startsWith('GET'));
    expect(new Set(methods)).toEqual(new Set(['POST /api/v2/plans/1/marks']));
    expect(system.violations).toEqual([]);
  });

  it('are reopened once with the fact that contradicts them, and closed by the analysis that verifies', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'Remove the right');
    const [ticket] = tickets;
    const events = () => ticket.comments.length;
    system.close(ticket, 'bob');
    await harness.settle();
    // Nothing was collected since, so the ticket stays closed.
    expect([ticket.isClosed, events()]).toEqual([true, 0]);
    service.found(plan, 1, 'open');
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    expect([ticket.isClosed, events()]).toEqual([false, 1]);
    expect(ticket.comments[0]).toContain('Remove the right');
    expect(ticket.comments[0]).toContain('0 of 1 fact is changed');
    await harness.settle();
    expect(changeOf(plan, 1).marked).toBeNull();
    system.close(ticket, 'bob');
    await harness.settle();
    expect(changeOf(plan, 1).marked?.evidence).toBe('waiting');
    service.found(plan, 1, 'open');
    await harness.settle();
    // Reopened once: the users who closed it again know the fact.
    expect([ticket.isClosed, events()]).toEqual([true, 1]);
    service.found(plan, 1, 'done', ['GenericAll from `A` to B was removed']);
    await harness.settle();
    expect([ticket.isClosed, events()]).toEqual([true, 2]);
    expect(ticket.comments[1]).toContain('Verified');
    service.found(plan, 1, 'undone', ['GenericAll exists again']);
    await harness.settle();
    expect([ticket.isClosed, events()]).toEqual([false, 3]);
    expect(ticket.comments[2]).toContain('GenericAll exists again');
    await harness.settle();
    expect([system.tickets.length, events(), system.violations]).toEqual([1, 3, []]);
  });

  it('name the earlier ticket when that was deleted, and end with the plan', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan } = await beginPlan(harness, 'One');
    service.found(plan, 1, 'done');
    await harness.settle();
    system.tickets.splice(0, 1);
    service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ status: 'complete', health: { rejected: 0 } });
    expect(system.tickets).toHaveLength(1);
    const [again] = system.tickets;
    expect(again?.body).toContain('An earlier ticket of the same repair');
    service.plans.length = 0;
    await harness.settle();
    await harness.settle();
    expect(again?.comments.at(-1)).toContain('no longer updated');
    expect(await harness.settle()).toMatchObject({ updated: 0, closed: 0 });
    expect([again?.comments.length, again?.isClosed, system.violations]).toEqual([1, false, []]);
  });

  it('look twice for a plan that is not there, and are updated again when it is back', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One', 'Two');
    const [one, two] = tickets;
    service.found(plan, 2, 'done');
    await harness.settle();
    expect(two.comments).toHaveLength(1);
    const run = async (minutes: number) => {
      harness.now += minutes * 60_000;
      return await harness.run();
    };
    // A short outage.
    service.plans.length = 0;
    for (const minutes of [10, 10, 10]) expect(await run(minutes)).toMatchObject({ updated: 0 });
    service.plans.push(plan);
    expect(await run(10)).toMatchObject({ status: 'complete', updated: 0 });
    expect(await run(120)).toMatchObject({ status: 'complete', updated: 0 });
    service.plans.length = 0;
    expect(await run(10)).toMatchObject({ updated: 0 });
    // A failed read is not evidence of a missing plan.
    service.fault = (_, path) => (path.endsWith('/adopted/1') ? 500 : undefined);
    expect(await run(120)).toMatchObject({ status: 'partial', updated: 0 });
    service.fault = () => undefined;
    expect(await run(120)).toMatchObject({ updated: 1 });
    expect(await run(120)).toMatchObject({ updated: 0 });
    expect([one.comments.length, two.comments.length]).toEqual([1, 1]);
    expect(one.comments[0]).toContain('no longer updated');
    service.plans.push(plan);
    expect(await harness.settle()).toMatchObject({ status: 'complete', updated: 1, closed: 0 });
    await harness.settle();
    expect([one.comments.length, two.comments.length]).toEqual([2, 1]);
    expect(one.comments[1]).toContain('updated again');
    expect([one.isClosed, two.isClosed]).toEqual([false, true]);
    service.found(plan, 1, 'done');
    await harness.settle();
    expect([one.isClosed, one.comments.length]).toEqual([true, 3]);
    // The comment is repeated when the plan is deleted again.
    service.found(plan, 1, 'undone');
    await harness.settle();
    service.plans.length = 0;
    await harness.settle();
    await harness.settle();
    expect([one.comments.length, one.isClosed]).toEqual([5, false]);
    expect(one.comments[4]).toContain('no longer updated');
    expect(system.tickets).toHaveLength(2);
  });

  it('follow plans that the service does not list any more like all others', async () => {
    await using harness = await make();
    const { service, system } = harness;
    for (const name of ['Old', 'Older', 'Other']) service.add(name, name);
    await harness.settle();
    for (let count = 0; count < 100; count++) service.found(service.add(`New ${count}`, 'New'), 1, 'done');
    const [old, older, other] = service.plans;
    if (old === undefined || older === undefined || other === undefined)
      throw new Error('plans are expected');
    const ticketOf = (name: string) => system.tickets.find(({ title }) => title === `Repair: ${name}`);
    for (const ticket of system.tickets) system.close(ticket, 'bob');
    harness.settings = { selectedPlans: 'old, 2' };
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 2, faults: [] });
    expect([old, older, other].map((plan) => changeOf(plan, 1).marked !== null)).toEqual([true, true, false]);
    for (const plan of [old, older, other]) service.found(plan, 1, 'done');
    await harness.settle();
    expect(['Old', 'Older', 'Other'].map((name) => ticketOf(name)?.comments.length)).toEqual([1, 1, 0]);
    // A plan without a ticket is listed by number.
    const added = service.add('Late', 'Late');
    service.plans.unshift(...service.plans.splice(-1));
    harness.settings = { selectedPlans: String(added.plan_id) };
    expect(await harness.settle()).toMatchObject({ status: 'complete', created: 1, faults: [] });
  });

  it.each(['renamed', 'hidden'] as const)(
    'wait while their place is %s, and are reported when it is back',
    async (how) => {
      await using harness = await make();
      const { service, system } = harness;
      const plan = service.add('Plan', 'One');
      await harness.settle();
      service.found(plan, 1, 'done');
      system.isAway = how;
      for (let round = 0; round < 4; round++) {
        const { status, faults, health } = await harness.run();
        expect([status, health.waiting, faults.length > 0]).toEqual(['partial', 1, true]);
        harness.now += 2 * HOUR;
      }
      system.isAway = undefined;
      expect(await harness.settle()).toMatchObject({ status: 'complete' });
      expect([system.tickets.length, system.tickets[0]?.isClosed]).toEqual([1, true]);
      expect(system.tickets[0]?.comments).toHaveLength(1);
    },
  );

  it('are not written to at another place', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan } = await beginPlan(harness, 'One');
    service.found(plan, 1, 'done');
    const asked = system.requests.length;
    const others = {
      github: { repository: 'acme/other' },
      servicenow: { table: 'problem', openState: '101', closedState: '107' },
    };
    const other = Object.hasOwn(others, type) ? others[type as keyof typeof others] : { project: 'OTHER' };
    const same = type === 'azure devops' ? `${system.url}/acme//` : `${system.url}//`;
    harness.platform = other;
    await expect(harness.run()).rejects.toThrow(/^the tickets of this state are in .+, not in .+: give/);
    expect(system.requests).toHaveLength(asked);
    // The same scope in another spelling.
    harness.platform = type === 'github' ? { repository: 'ACME/Infra' } : { url: same };
    system.fault = () => ({ status: 503 });
    expect(await harness.run()).toMatchObject({ status: 'partial' });
    harness.platform = other;
    harness.settings = { resetState: true };
    system.fault = () => ({ status: 403 });
    expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 0 } });
  });

  it('are kept aside with the reason when they have lost their key, and are not made again', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One');
    const [ticket] = tickets;
    Object.assign(ticket, { body: 'Other work', labels: ['clew', 'other'] });
    service.found(plan, 1, 'done');
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { waiting: 0, rejected: 1 } });
    expect(await harness.rejected()).toEqual([
      {
        ...KEPT,
        reason: expect.stringMatching(
          /(?:#1|SEC-1|SEC#1|INC0000001) does not have the label clew-[0-9a-f]{32}: it is/,
        ),
      },
    ]);
    service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ health: { rejected: 2 } });
    expect([system.tickets.length, ticket.isClosed, ticket.comments]).toEqual([1, false, []]);
  });

  it('mark nothing by the report of a ticket without their key', async () => {
    await using harness = await make();
    const { system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One');
    const [ticket] = tickets;
    const { labels } = ticket;
    Object.assign(ticket, { labels: ['clew', `clew-${'0'.repeat(32)}`] });
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 0 });
    expect(changeOf(plan, 1).marked).toBeNull();
    Object.assign(ticket, { labels });
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
  });

  it('are found by the key of the repair also where one took the place of another', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan } = await beginPlan(harness, 'One');
    service.found(plan, 1, 'done');
    await harness.settle();
    const deleted = system.tickets.splice(0, 1);
    service.found(plan, 1, 'undone');
    await harness.settle();
    const [second] = system.tickets;
    if (second === undefined) throw new Error('a ticket is expected');
    // The newest ticket counts if both exist.
    system.tickets.unshift(...deleted);
    harness.settings = { resetState: true };
    expect(await harness.settle()).toMatchObject({ status: 'complete', delivery: { duplicates: 1 } });
    system.close(second, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    expect(system.tickets).toHaveLength(2);
  });

  it('are read from the beginning when they are found again, so that an earlier closing counts', async () => {
    await using harness = await make();
    const { system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One', 'Two');
    const [one, two] = tickets;
    system.close(one, 'bob');
    // Long after the closing, and after the last change of any ticket.
    harness.now += 10 * HOUR;
    system.waitUntil(harness.now);
    system.open(two);
    harness.settings = { resetState: true };
    const found = await harness.run();
    expect(found).toMatchObject({ status: 'complete', marked: 0, delivery: { duplicates: 2 } });
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 1 });
    expect(plan.changes.map(({ marked }) => marked !== null)).toEqual([true, false]);
    expect(await harness.settle()).toMatchObject({ marked: 0 });
  });

  it.each([400, 422])('wait by themselves where the system answers %s to their creation', async (status) => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One', 'Two', 'Three');
    system.fault = (_, { method, path, body }) =>
      isCreation(method, path) && body.includes('Repair: Two') ? { status } : undefined;
    const first = await harness.run();
    expect(first).toMatchObject({ status: 'partial', delivery: { delivered: 2, rejected: 0 } });
    expect(first).toMatchObject({ health: { waiting: 1, rejected: 0, open: 2 } });
    expect(first.faults).toEqual([expect.stringMatching(/^create of Repair: Two waits: 4\d\d .*a fault/)]);
    system.fault = () => undefined;
    expect(await harness.settle()).toMatchObject({ status: 'complete', health: { waiting: 0, open: 3 } });
    expect(system.tickets).toHaveLength(3);
  });

  it('count as open only while they are there', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const plan = service.add('Plan', 'One', 'Two');
    plan.repairs = plan.repairs.slice(0, 1).map((one) => ({ ...one, changes: [1, 2] }));
    system.fault = (_, { method, path }) => (isCreation(method, path) ? { status: 403 } : undefined);
    expect(await harness.run()).toMatchObject({ health: { open: 0 } });
    system.fault = () => undefined;
    expect(await harness.settle()).toMatchObject({ health: { open: 1 } });
    system.tickets.length = 0;
    service.found(plan, 1, 'done');
    await harness.settle();
    expect(await harness.settle()).toMatchObject({ health: { waiting: 0, open: 0 } });
  });

  it('are looked for twice after a creation without an answer, because the index lags', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    system.fault = (_, { method, path }) => (isCreation(method, path) ? 'taken' : undefined);
    expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
    system.fault = () => undefined;
    for (let seconds = 0; seconds < 300; seconds += 5) {
      harness.now += 5000;
      await harness.run();
    }
    expect(await harness.run()).toMatchObject({ status: 'complete', health: { waiting: 0, open: 1 } });
    expect(system.tickets).toHaveLength(1);
  });

  it('wait by our own rule after a refusal, whatever time the answer names', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    let count = 0;
    for (const seconds of ['0', '86400']) {
      system.fault = (_, { method, path }) => {
        if (!isCreation(method, path)) return undefined;
        // A run that repeats it without a pause would not end.
        expect(++count).toBeLessThan(10);
        return { status: 409, headers: { 'retry-after': seconds } };
      };
      expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
      const before = count;
      expect(await harness.run()).toMatchObject({ status: 'partial' });
      expect(count).toBe(before);
      harness.now += HOUR;
    }
    expect(count).toBe(2);
    system.fault = () => undefined;
    expect(await harness.run()).toMatchObject({ status: 'complete', delivery: { delivered: 1 } });
  });

  it('say in each run why a change is not taken, until it is', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    system.fault = (_, { method, path }) => (isCreation(method, path) ? { status: 403 } : undefined);
    for (const pause of [1000, 2 * HOUR, 0]) {
      const { status, faults, health } = await harness.run();
      expect([status, health.waiting]).toEqual(['partial', 1]);
      expect(faults).toEqual([expect.stringMatching(/^create of Repair: One waits: 403 .*a fault/)]);
      harness.now += pause;
    }
    const [waiting] = await harness.postponed();
    expect(waiting).toMatchObject({ kind: 'create', title: 'Repair: One', attempts: 2 });
    expect(waiting?.reason).toMatch(/^403 /);
    system.fault = () => undefined;
    expect(await harness.settle()).toMatchObject({ status: 'complete', faults: [] });
    expect(await harness.postponed()).toEqual([]);
  });

  it('mark nothing when they are closed as anything else than done, and say so once', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One');
    const [ticket] = tickets;
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    // It is closed again with another outcome: its mark is no longer true.
    system.dismiss(ticket);
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 1 });
    expect(changeOf(plan, 1).marked).toBeNull();
    service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ marked: 0 });
    expect([ticket.isClosed, ticket.comments]).toEqual([true, []]);
    expect(harness.messages.filter((text) => /but not done: no change is marked$/.test(text))).toHaveLength(
      1,
    );
  });

  it('are not reopened by an analysis from before the closing', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One');
    const [ticket] = tickets;
    changeOf(plan, 1).marked = { by: 'alice', at: service.tick(), note: 'mine', evidence: 'waiting' };
    service.found(plan, 1, 'open');
    system.waitUntil(Date.parse(plan.published_at));
    system.close(ticket, 'bob');
    await harness.settle();
    expect([ticket.isClosed, ticket.comments]).toEqual([true, []]);
    service.waitUntil(system.instant);
    service.found(plan, 1, 'open');
    await harness.settle();
    expect([ticket.isClosed, ticket.comments.length]).toEqual([false, 1]);
  });

  it('set their mark once for each closing, and take back only their own', async () => {
    await using harness = await make();
    const { system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One');
    const [ticket] = tickets;
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    // A user changed the mark.
    changeOf(plan, 1).marked = null;
    expect(await harness.settle()).toMatchObject({ marked: 0 });
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    const mark = changeOf(plan, 1).marked;
    if (mark === null) throw new Error('a mark is expected');
    // The same text by another user is not the connector's mark.
    changeOf(plan, 1).marked = { ...mark, by: 'alice' };
    system.open(ticket);
    expect(await harness.settle()).toMatchObject({ marked: 0 });
    expect(changeOf(plan, 1).marked?.by).toBe('alice');
  });

  it('are made by an account that may not mark, which says so', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    await harness.settle();
    for (const ticket of system.tickets) system.close(ticket, 'bob');
    service.fault = (method) => (method === 'POST' ? 403 : undefined);
    const { status, marked, faults } = await harness.settle();
    expect([status, marked, faults]).toEqual([
      ...['partial', 0],
      [expect.stringMatching(/^the mark of ticket \S+ could not be set: .*lacks a permission$/)],
    ]);
  });

  it('keep no secret in logs, reports and state, also where the system refuses', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    const reports = [];
    // A server does not receive account names.
    const body = type === 'jira server' ? system.secrets.slice(0, 1) : system.secrets;
    for (const fault of [
      { status: 401 },
      { status: 500 },
      { status: 403, body },
      { status: 400, body },
      'lost',
      undefined,
    ] as const) {
      system.fault = () => fault;
      reports.push(JSON.stringify(await harness.run()));
      harness.now += 2 * HOUR;
    }
    // `connector test` shows the answers of the system too.
    system.fault = () => ({ status: 403, body });
    const tracker = openWorkSystem(system.settings(system.url));
    const said = await tracker.test().catch((error: Error) => error.message);
    expect(said).toContain('403 ');
    await tracker.close();
    const written = `${reports.join()}${said}${await harness.written()}`;
    for (const secret of [...system.secrets, 'service-secret']) expect(written).not.toContain(secret);
  });

  it('wait as long as the system asks', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    system.fault = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
    const asked = system.requests.length;
    system.fault = () => undefined;
    harness.now += 1.9 * HOUR;
    await harness.run();
    expect(system.tickets).toHaveLength(0);
    expect(system.requests).toHaveLength(asked);
    harness.now += 0.2 * HOUR;
    await harness.run();
    expect(system.tickets).toHaveLength(1);
  });
});
