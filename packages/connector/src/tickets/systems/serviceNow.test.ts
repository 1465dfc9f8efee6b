/** Incidents of ServiceNow: their states, keys, fields that are required, and texts in journals. */
import { describe, expect, it } from 'vitest';
import { TicketHarness } from '../../../test/ticketHarness.ts';
import { correlationOf, ServiceNowModel } from '../../../test/trackers/serviceNow.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { serviceNowTracker } from './serviceNow.ts';

type Own = Partial<SettingsOf<'servicenow'>>;

const make = async () => {
  const harness = await TicketHarness.make(new ServiceNowModel());
  const plan = harness.service.add('Plan', 'One');
  await harness.settle();
  const [ticket] = harness.system.tickets;
  if (ticket === undefined) throw new Error('an incident is expected');
  return { harness, plan, ticket };
};

describe('incidents', () => {
  it('are resolved with their code, opened again, and done when someone resolves or closes them', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    expect([ticket.state, ticket.comments.length]).toEqual(['6', 1]);
    harness.service.found(plan, 1, 'undone');
    await harness.settle();
    expect([ticket.state, ticket.comments.length]).toEqual(['2', 2]);
    harness.system.end(ticket);
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    expect(plan.changes[0]?.marked?.note).toMatch(/^Ticket INC0000001: Closed, closed /);
    expect(harness.system.violations).toEqual([]);
  });

  it('that were closed for good are replaced by one that names them and has both keys', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    harness.system.end(ticket);
    harness.service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    const [, second] = harness.system.tickets;
    expect(harness.system.tickets).toHaveLength(2);
    expect(second?.body).toContain('An earlier ticket of the same repair: INC0000001.');
    expect(correlationOf(second as never).startsWith(`${correlationOf(ticket)}-`)).toBe(true);
    // The newer one is followed.
    harness.system.close(second as never, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    harness.settings = { resetState: true };
    harness.service.found(plan, 1, 'undone');
    await harness.settle();
    expect(harness.system.tickets).toHaveLength(2);
  });

  it('are set aside where the table keeps their state, or takes no comment', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.system.keepsStates = true;
    harness.service.found(plan, 1, 'done');
    expect(await harness.settle()).toMatchObject({ health: { rejected: 1 } });
    expect((await harness.rejected()).map(({ reason }) => reason)).toEqual([
      'INC0000001 stays in the state New',
    ]);
    expect(ticket.isClosed).toBe(false);
  });

  it('wait while a required field is missing, and are closed when the settings have it', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.platform = { closeFields: {} };
    harness.service.found(plan, 1, 'done');
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
    expect((await harness.postponed())[0]?.reason).toContain('Resolution code is mandatory');
    harness.platform = { closeFields: { close_code: 'Fixed', close_notes: 'done' } };
    await harness.settle();
    expect([ticket.isClosed, ticket.comments.length]).toEqual([true, 1]);
  });

  it('without the key are not written to', async () => {
    await using harness = await TicketHarness.make(new ServiceNowModel());
    harness.system.dropsKeys = true;
    harness.service.add('Plan', 'One');
    expect(await harness.settle()).toMatchObject({ health: { rejected: 1 } });
    expect((await harness.rejected())[0]?.reason).toMatch(/^INC0000001 does not have the label clew-/);
    await harness.settle();
    expect(harness.system.tickets).toHaveLength(1);
  });

  it('show hostile names as text: no HTML in journals, and no mention', async () => {
    const name = 'x [code]<script>[/code] [ CODE]<b> @[admin] [/Code] é';
    await using harness = await TicketHarness.make(new ServiceNowModel());
    const plan = harness.service.add(name, name);
    await harness.settle();
    harness.service.found(plan, 1, 'done', [name]);
    await harness.settle();
    const [ticket] = harness.system.tickets;
    for (const text of [ticket?.body, ...(ticket?.comments ?? [])]) {
      expect(text).toContain('<script>');
      expect(text).not.toMatch(/\[\/?code\]/i);
      expect(text).not.toContain('@[');
    }
    expect(harness.system.violations).toEqual([]);
  });

  it('have texts of at most 4,000 characters', async () => {
    await using harness = await TicketHarness.make(new ServiceNowModel());
    const titles = Array.from({ length: 30 }, (__, at) => `${at} ${'é'.repeat(900)}`);
    const plan = harness.service.add('Plan', ...titles);
    plan.repairs = plan.repairs
      .slice(0, 1)
      .map((one) => ({ ...one, changes: plan.changes.map(({ number }) => number) }));
    expect(await harness.run()).toMatchObject({ status: 'complete', delivery: { delivered: 1 } });
    expect(harness.system.violations).toEqual([]);
    expect(harness.system.tickets[0]?.body).toContain('more are on the page of the repair');
  });
});

describe('the settings of ServiceNow', () => {
  const model = new ServiceNowModel();
  const open = (more: Own) =>
    serviceNowTracker({
      ...(model.settings('https://acme.service-now.com') as SettingsOf<'servicenow'>),
      ...more,
    });

  it.each<[Own, string]>([
    [{ user: undefined } as unknown as Own, 'user and password, or token'],
    [{ token: 'oauth-token' }, 'user and password, or token'],
    [{ table: 'problem' }, 'closedState and platform.openState are needed'],
  ])('%j are refused', (more, reason) => {
    expect(() => open(more)).toThrow(reason);
  });
});
