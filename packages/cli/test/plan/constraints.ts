/** Constraints of plans on the command line and over HTTP. */
import type { CardRecord, PlanRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { runCommand } from '../runCommand.ts';
import { type RunningPlan, referencesOf } from './runningPlan.ts';

/** @param running its members are used only inside tests */
export function testConstraints(running: RunningPlan): void {
  it('are excluded from plans, show their cost, and can be undone', async () => {
    const [card] = running.plan.cards as [CardRecord];
    const title = card.packages.map((one) => one.title).join('; ');
    const added = await running.clew('plan', 'constraints', 'add', '--card', '1', '--reason', 'Legacy');
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining(`: ${title.slice(0, 20)}`) });
    const around = await running.client.plan({ limit: 50 });
    expect(around.computing).toBeNull();
    const left = around.cards.flatMap(referencesOf);
    for (const reference of referencesOf(card)) expect(left).not.toContainEqual(reference);
    const { constraints, without, with: reached } = around.excluded;
    expect(constraints).toMatchObject([
      { subject: 'repairs', reason: 'Legacy', created_by: 'admin', until: null },
    ]);
    expect(without).toMatchObject({ card_count: running.plan.card_count });
    expect(reached?.card_count).toBe(around.card_count);
    expect((await running.clew('plan')).stdout).toContain('Left out: 1 constraint.');
    expect((await running.clew('plan', 'constraints')).stdout).toMatch(/Legacy +admin/);
    const id = String(constraints[0]?.id);
    expect(await running.clew('plan', 'constraints', 'remove', id)).toMatchObject({ code: 0 });
    // Accepted findings are known only after the cards were compared with the findings.
    const shown = ({ accepted: _, accepted_count: __, acceptances: ___, ...card }: CardRecord) => card;
    expect((await running.client.plan({ limit: 5 })).cards.map(shown)).toEqual(running.plan.cards.map(shown));
    expect(await running.clew('plan', 'constraints', 'remove', id)).toMatchObject({ code: 1 });
    const { data } = await running.client.call('ListAuditLogs', { query: { limit: 10 } } as never);
    const actions = (data as { logs: { action: string }[] }).logs.map(({ action }) => action);
    expect(actions).toContain('CreatePlanConstraint');
    expect(actions).toContain('DeletePlanConstraint');
  });

  it('list the changes of a card and what the plan then reaches, and exclude only one change on request', async () => {
    const at = running.plan.cards.findIndex((one) => referencesOf(one).length > 1);
    const card = running.plan.cards[at] as CardRecord;
    const titles = card.packages.flatMap(({ changes }) => changes.map(({ title }) => title));
    const add = (...more: string[]) =>
      running.clew('plan', 'constraints', 'add', '--card', String(at + 1), '--reason', 'Legacy', ...more);
    const remove = async () => {
      const [made] = (await running.client.call('ListPlanConstraints', {})).data;
      expect(await running.clew('plan', 'constraints', 'remove', String(made?.id))).toMatchObject({
        code: 0,
      });
      await running.client.plan({ limit: 5 });
    };
    const { stderr: whole } = await add();
    expect(whole).toContain(`It excludes all ${referencesOf(card).length} changes of the card:\n`);
    expect(whole).toContain(`\n  1. ${titles[0]}\n  2. ${titles[1]}\n`);
    expect(whole).toMatch(/\nTo exclude only some of them: "clew plan constraints remove \d+"/);
    expect(whole).toMatch(/\nLeft out: 1 constraint\. The plan reaches .*; without them, it would reach /);
    await remove();
    const { stderr: one } = await add('--change', '2');
    expect(one).toMatch(/^Recorded as \d+: /);
    expect(one).not.toContain('It excludes all');
    expect((await running.client.call('ListPlanConstraints', {})).data).toMatchObject([
      { title: titles[1]?.slice(0, 400), repairs: [referencesOf(card)[1]] },
    ]);
    await remove();
    const none = await add('--change', '1001');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(', and no change 1001') });
    for (const other of [['--unneeded'], ['--object', 'X']]) {
      const args =
        other[0] === '--object' ? [...other, '--change', '1'] : ['--card', '1', ...other, '--change', '1'];
      expect(await running.clew('plan', 'constraints', 'add', '--reason', 'x', ...args)).toMatchObject({
        code: 2,
      });
    }
  });

  it('end in the future, are marked once they have ended, and cannot be moved into the past', async () => {
    const add = (until: string) =>
      running.clew('plan', 'constraints', 'add', '--kind', 'keep-off', '--reason', 'x', '--until', until);
    const past = await add('2020-01-01');
    expect([past.code, past.stderr]).toEqual([1, expect.stringContaining('"until" must be in the future')]);
    expect(await add(new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10))).toMatchObject({
      code: 0,
    });
    const [made] = (await running.client.call('ListPlanConstraints', {})).data;
    const params = { constraint_id: made?.id ?? 0 };
    const until = (time: string) =>
      running.client.call('UpdatePlanConstraint', { params, body: { until: time } });
    await expect(until('2020-01-01T00:00:00Z')).rejects.toThrow('must be in the future');
    expect((await running.clew('plan', 'constraints')).stdout).not.toContain('(ended)');
    const soon = new Date(Date.now() + 1000).toISOString();
    await until(soon);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await running.clew('plan', 'constraints')).stdout).toContain(`${soon.slice(0, 10)} (ended)`);
    await running.client.call('DeletePlanConstraint', { params });
    await running.client.plan({ limit: 5 });
  });

  it('are reviewed one card at a time, with the alternatives', async () => {
    const input = [
      'n',
      ...(running.plan.cards[0]?.packages.length === 1 ? [] : ['']),
      'In use',
      '',
      'maybe',
      'y',
      'q',
    ].join('\n');
    const user = { ...running.user, input };
    const { code, stdout } = await runCommand(user, ['plan', 'review']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Without it, the plan reaches \d.*% for cost/);
    expect(stdout).toContain('Left out: 1 constraint.');
    const { data } = await running.client.call('ListPlanConstraints', {});
    expect(data).toMatchObject([{ reason: 'In use' }]);
    await running.client.call('DeletePlanConstraint', { params: { constraint_id: data[0]?.id ?? 0 } });
  });

  it.each([
    [{ subject: 'object' }, 'a constraint on object has object_id'],
    [{ subject: 'object', object_id: 'NOWHERE' }, 'no object has the id NOWHERE'],
    [{ subject: 'kind', repair_kind: 'constructor' }, 'unknown kind of repair'],
    [{ subject: 'kind', repair_kind: 'keep-off', object_id: 'X' }, 'a constraint on kind has repair_kind'],
    [{ subject: 'kind', repair_kind: 'keep-off', until: 'soon' }, '"until" must be a time'],
    [
      { subject: 'kind', repair_kind: 'keep-off', until: '2020-01-01T00:00:00Z' },
      '"until" must be in the future',
    ],
  ])('is refused as %j', async (body, message) => {
    const asked = running.client.call('CreatePlanConstraint', { body: { reason: 'x', ...body } as never });
    await expect(asked).rejects.toThrow(message);
  });

  it.each(['object', 'container', 'kind'] as const)('may be a whole %s', async (subject) => {
    const change = running.plan.cards[0]?.packages[0]?.changes[0];
    const [environment] = running.plan.before as [PlanRecord['before'][number]];
    const named =
      subject === 'kind'
        ? { repair_kind: change?.repair.kind }
        : { object_id: subject === 'object' ? change?.object.object_id : environment.environment_id };
    const body = { subject, reason: 'x', ...named };
    const { data } = await running.client.call('CreatePlanConstraint', { body });
    const around = await running.client.plan({ limit: 50 });
    const changes = around.cards.flatMap(({ packages }) => packages.flatMap((one) => one.changes));
    const isLeftOut = ({ object, repair }: (typeof changes)[number]): boolean => {
      if (subject === 'kind') return repair.kind === change?.repair.kind;
      return subject === 'object'
        ? object.object_id === change?.object.object_id
        : object.object_id === environment.environment_id;
    };
    expect(changes.filter(isLeftOut)).toEqual([]);
    await running.client.call('DeletePlanConstraint', { params: { constraint_id: data.id } });
  });
}
