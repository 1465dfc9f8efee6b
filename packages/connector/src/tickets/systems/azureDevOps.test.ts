/** Work items of Azure DevOps have revisions, move to other projects, and have states in categories. */
import { describe, expect, it } from 'vitest';
import { TicketHarness } from '../../../test/ticketHarness.ts';
import { AzureDevOpsModel } from '../../../test/trackers/azureDevOps.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { azureDevOpsTracker } from './azureDevOps.ts';

type Own = Partial<SettingsOf<'azure-devops'>>;

describe('work items', () => {
  const make = async () => {
    const harness = await TicketHarness.make(new AzureDevOpsModel());
    const plan = harness.service.add('Plan', 'One');
    await harness.settle();
    const [ticket] = harness.system.tickets;
    if (ticket === undefined) throw new Error('a work item is expected');
    return { harness, plan, ticket };
  };

  it('are written again when someone changed them in between', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    let isMet = false;
    harness.system.fault = (__, { method }) => {
      // Someone saves the item after it was read.
      if (method === 'PATCH' && !isMet) ticket.rev++;
      isMet ||= method === 'PATCH';
      return undefined;
    };
    harness.service.found(plan, 1, 'done');
    expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
    expect([isMet, ticket.isClosed, ticket.comments]).toEqual([true, false, []]);
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    expect([ticket.isClosed, ticket.comments.length]).toEqual([true, 1]);
  });

  it('are kept aside when they were moved to another project', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.system.projectOf = (one) => (one === ticket ? 'OPS' : 'SEC');
    harness.service.found(plan, 1, 'done');
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { rejected: 1 } });
    expect((await harness.rejected()).map(({ reason }) => reason)).toEqual([
      'SEC#1 was moved to another project: it is not changed',
    ]);
    expect(ticket.comments).toEqual([]);
  });

  it('are closed and opened by states of the categories, or those of the settings', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    expect(ticket.state).toBe('Done');
    harness.platform = { openStatus: 'Doing' };
    harness.service.found(plan, 1, 'undone');
    await harness.settle();
    expect(ticket.state).toBe('Doing');
    // A name of no open state is a fault of the settings, and not of the type.
    for (const openStatus of ['Nowhere', 'Dropped']) {
      harness.service.found(plan, 1, 'done');
      await harness.settle();
      harness.platform = { openStatus };
      harness.service.found(plan, 1, 'undone');
      expect(await harness.settle()).toMatchObject({ status: 'partial' });
      harness.platform = {};
    }
    expect((await harness.rejected()).map(({ reason }) => reason).toSorted()).toEqual([
      'no open state is named Dropped: a Task has To Do, Doing',
      'no open state is named Nowhere: a Task has To Do, Doing',
    ]);
    expect([harness.system.tickets.length, harness.system.violations]).toEqual([1, []]);
  });

  it('are made again where their type has no open state at all', async () => {
    const { harness, plan } = await make();
    await using _ = harness;
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    harness.platform = { openStatus: 'Doing' };
    harness.system.fault = (__, { path }) =>
      path.includes('/Task/states')
        ? { status: 200, body: { value: [{ name: 'Done', category: 'Completed' }] } }
        : undefined;
    harness.service.found(plan, 1, 'undone');
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    const [, second] = harness.system.tickets;
    expect(second?.body).toContain('An earlier ticket of the same repair: SEC#1.');
    expect([harness.system.tickets.length, harness.system.violations]).toEqual([2, []]);
  });

  it('are kept aside, and not made again, when the account may not read them any more', async () => {
    const { harness, plan, ticket } = await make();
    await using _ = harness;
    harness.service.found(plan, 1, 'done');
    await harness.settle();
    harness.system.unreadable.add(ticket.number);
    harness.service.found(plan, 1, 'undone');
    // Another answer of the recycle bin says nothing.
    harness.system.fault = (__, { path }) => (path.includes('recyclebin') ? { status: 503 } : undefined);
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { waiting: 1, rejected: 0 } });
    harness.system.fault = () => undefined;
    expect(await harness.settle()).toMatchObject({ status: 'partial', health: { waiting: 0, rejected: 1 } });
    expect((await harness.rejected()).map(({ reason }) => reason)).toEqual([
      'SEC#1 cannot be read: it was permanently deleted or moved, or the account cannot read its area',
    ]);
    expect([harness.system.tickets.length, ticket.comments.length]).toEqual([1, 1]);
  });
});

describe('connector test of Azure DevOps', () => {
  const test = async (
    own: Own = {},
    change: (model: AzureDevOpsModel) => void = () => {},
  ): Promise<string> => {
    await using model = new AzureDevOpsModel();
    await model.start();
    change(model);
    const settings = { ...(model.settings(model.url) as SettingsOf<'azure-devops'>), ...own };
    const tracker = azureDevOpsTracker(settings);
    const said = await tracker.test().then(
      () => 'ready',
      (error: Error) => error.message,
    );
    await tracker.close();
    expect([model.tickets, model.violations]).toEqual([[], []]);
    return said;
  };

  it('makes no item, and names each fault', async () => {
    expect(await test()).toBe('ready');
    expect(await test({ token: 'another-token' })).toMatch(/^the project SEC cannot be read: 401 /);
    expect(await test({ project: 'NONE' })).toMatch(/^the project NONE cannot be read: 404 /);
    expect(await test({ workItemType: 'Bug' })).toMatch(/^the states of Bug cannot be read: 404 /);
    expect(await test({ openStatus: 'Doing', closedStatus: 'Done' })).toBe('ready');
    expect(await test({ openStatus: 'Dong' })).toBe('no open state is named Dong: a Task has To Do, Doing');
    expect(await test({ closedStatus: 'Dropped' })).toBe('no closed state is named Dropped: a Task has Done');
    const refuse = (model: AzureDevOpsModel) => {
      model.fault = (_, { path }) =>
        path.includes('validateOnly')
          ? { status: 400, body: 'TF401320: Rule Error for field Area' }
          : undefined;
    };
    expect(await test({}, refuse)).toBe(
      'a new Task would be refused: 400 TF401320: Rule Error for field Area',
    );
    const rename = (model: AzureDevOpsModel) => {
      model.isAway = 'renamed';
    };
    expect(await test({}, rename)).toBe('the project SEC is now named OPS');
  });
});
