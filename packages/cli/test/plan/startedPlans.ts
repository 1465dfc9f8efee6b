/** Started plans on the command line and over HTTP. */
import type { AdoptionRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { type RunningPlan, referencesOf } from './runningPlan.ts';

/** @param running its members are used only inside tests */
export function testStartedPlans(running: RunningPlan): void {
  it('is followed by each analysis: done, not done, undone, and its effect', async () => {
    const adopting = await running.clew('plans', 'adopt', 'Spring', '--cards', '5');
    expect(adopting).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Started as plan \d+/) });
    const [adopted] = (await running.client.call('ListAdoptedPlans', {})).data as [AdoptionRecord];
    expect(adopted).toMatchObject({ name: 'Spring', done_count: 0, other: '' });
    expect(adopted.change_count).toBe(running.plan.cards.flatMap(referencesOf).length);
    expect((await running.clew('plans', 'progress')).stdout).toContain(`0 of ${adopted.change_count} done`);
    const assign = (...more: string[]) => running.clew('plans', 'assign', String(adopted.plan_id), ...more);
    expect(await assign('1', '--owner', 'Admin', '--due', '2026-12-31', '--notes', 'CHG-7')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^ {2}Repair 1: .* \(owner admin, due 2026-12-31\)\n +CHG-7\n$/),
    });
    expect((await running.clew('plans', 'progress')).stdout).toMatch(
      /Repair 1: .* \(owner admin, due 2026-12-31\)/,
    );
    expect((await assign('1', '--no-owner', '--no-due', '--notes', '')).stderr).not.toMatch(/owner|due|CHG/);
    expect(await assign('99', '--notes', 'x')).toMatchObject({ code: 1 });
    expect(await assign('1', '--owner', 'no one')).toMatchObject({ code: 2 });
    expect(await assign('1')).toMatchObject({ code: 2 });
    await running.client.call('DeletePlan', { params: { plan_id: adopted.plan_id } });
    await expect(running.client.call('AdoptPlan', { body: { name: 'x', cards: ['none'] } })).rejects.toThrow(
      'the plan has no card none',
    );
  });

  it('is started as shown: with another goal, or for one environment', async () => {
    const stored = await running.client.plan({ limit: 50 });
    const keysOf = ({ cards }: Pick<typeof stored, 'cards'>) => cards.map(({ key }) => key);
    let others = 0;
    const ofEnvironments = stored.before.map(({ environment_id }) => ({ environments: [environment_id] }));
    for (const asked of [{ goal: 0 }, ...ofEnvironments]) {
      const query = 'goal' in asked ? asked : { environment: asked.environments[0] };
      const shown = await running.client.plan({ ...query, limit: 50 });
      expect(shown.outline.map(({ key }) => key)).toEqual(keysOf(shown));
      const body = { name: 'Other', cards: keysOf(shown) };
      if (keysOf(shown).some((key) => !keysOf(stored).includes(key))) {
        others++;
        await expect(running.client.call('AdoptPlan', { body })).rejects.toThrow('the plan has no card');
      }
      const { data: made } = await running.client.call('AdoptPlan', { body: { ...body, ...asked } });
      const plans = (await running.client.call('ListAdoptedPlans', {})).data;
      const changes = plans.find(({ plan_id }) => plan_id === made.id)?.change_count;
      expect(changes).toBe(shown.cards.flatMap(referencesOf).length);
      await running.client.call('DeletePlan', { params: { plan_id: made.id } });
    }
    expect(others).toBeGreaterThan(0);
  });
}
