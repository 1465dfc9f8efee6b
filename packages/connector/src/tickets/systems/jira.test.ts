/** Issues of Jira are moved by the transitions of their workflow. */
import { describe, expect, it } from 'vitest';
import { TicketHarness } from '../../../test/ticketHarness.ts';
import { JiraModel } from '../../../test/trackers/jira.ts';

describe.each([true, false])('issues of Jira (cloud: %s)', (isCloud) => {
  const make = async () => {
    const harness = await TicketHarness.make(new JiraModel(isCloud));
    const plan = harness.service.add('Plan', 'One');
    await harness.settle();
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    return { harness, plan };
  };

  it('are kept aside, and not made again, when no open status has the name of the settings', async () => {
    const { harness, plan } = await make();
    await using _ = harness;
    harness.platform = { openStatus: 'Todo' };
    harness.service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { rejected: 1 } });
    expect((await harness.rejected()).map(({ reason }) => reason)).toEqual([
      'no open status named Todo can be reached from the current one',
    ]);
    expect([harness.system.tickets.length, harness.system.violations]).toEqual([1, []]);
  });

  it('are made again when their workflow has no way back', async () => {
    const { harness, plan } = await make();
    await using _ = harness;
    harness.platform = { openStatus: 'To Do' };
    harness.system.fault = (__, { method, path }) =>
      method === 'GET' && path.endsWith('/transitions')
        ? { status: 200, body: { transitions: [] } }
        : undefined;
    harness.service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    const [, second] = harness.system.tickets;
    expect(second?.body).toContain('An earlier ticket of the same repair: SEC-1.');
    expect([harness.system.tickets.length, harness.system.violations]).toEqual([2, []]);
  });
});
