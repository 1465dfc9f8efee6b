/** The numbers of pages in a real browser, held against the answers that they come from. */
import type { PlanRecord } from '@clew/api';
import { costText, shareOf } from '@clew/model';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunningWeb } from '../browser.ts';

/** @param running is called inside the tests: the service is started before them */
export function testNumbers(running: () => RunningWeb): void {
  test('Fix first has one truth: every number is that of the whole plan, of its goal and environment', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const all = await client.plan({ limit: 50 });
    const environments = all.before.slice(0, 2).map(({ environment_id }) => environment_id);
    const questions = [
      { path: '', query: {}, goal: 10 },
      { path: '?goal=30', query: { goal: 0.3 }, goal: 30 },
      { path: '?goal=0', query: { goal: 0 }, goal: 0 },
      ...environments.map((environment) => ({
        ...{ path: `?env=${environment}`, query: { environment }, goal: 10 },
      })),
    ];
    for (const { path, query, goal } of questions) {
      const plan = await client.plan({ ...query, limit: 50 });
      await page.goto(`/ui/fix${path}`);
      await settled(page);
      await expect.poll(() => page.locator('.renewing').count()).toBe(0);
      await expect.poll(() => heroText(page)).toContain(joint(plan, goal));
      expect(await heroText(page), path).toContain(reached(plan.before));
      const rail = await page.getByRole('complementary', { name: 'Plan' }).innerText();
      const repairs = plan.cards.reduce((sum, { packages }) => sum + packages.length, 0);
      const cost = plan.cards.reduce((sum, card) => sum + card.cost, 0);
      expect(rail, path).toContain(`${repairs} in ${plan.card_count} card`);
      expect(rail, path).toContain(costText(cost));
      expect(rail, path).toContain(plan.end.text);
      const known = percentagesOf(plan, goal);
      const shown = (await page.locator('main').innerText()).match(/\d+(?:\.\d+)?%/g) ?? [];
      expect(
        shown.filter((one) => !known.has(one)),
        path,
      ).toEqual([]);
      // Each card goes on from the card before it.
      const falls = await page.locator('.fall .to').allInnerTexts();
      for (const text of falls) expect(text.match(/\d+(?:\.\d+)?%/g), path).toHaveLength(2);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a plan to another goal keeps the old one, dimmed, and the slider keeps the focus', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    let isLate = true;
    await page.route('**/api/v2/plan?*goal=0.05*', async (route) => {
      if (!isLate) return route.continue();
      const at = new Date().toISOString();
      const counts = { card_count: 2, exposed_count: 7 };
      const data = { generation: 1, published_at: at, started_at: at, ...counts, fault: null };
      return route.fulfill({ status: 202, json: { data } });
    });
    await page.goto('/ui/fix');
    await settled(page);
    const slider = page.getByRole('slider');
    await slider.focus();
    for (let step = 0; step < 5; step++) await slider.press('ArrowLeft');
    await page.getByText(/The plan to a goal of 5% is being made\..* 2 cards so far/).waitFor();
    expect(await page.locator('.renewing article.repair').count()).toBeGreaterThan(0);
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    isLate = false;
    await expect.poll(() => page.locator('.renewing').count()).toBe(0);
    expect(await heroText(page)).toContain('at most 5% of each environment');
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
}

const heroText = (page: Page): Promise<string> =>
  page.getByRole('region', { name: 'Exposure' }).first().innerText();

type Exposures = PlanRecord['before'];

const sums = (all: Exposures) => ({
  exposed: all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
  principals: all.reduce((sum, { principal_count }) => sum + principal_count, 0),
});

function reached(all: Exposures): string {
  const { exposed, principals } = sums(all);
  return `${exposed.toLocaleString('en-US')} of ${principals.toLocaleString('en-US')}`;
}

/** The sentence about all cards together. */
function joint({ cards, before, end }: PlanRecord, goal: number): string {
  const repairs = cards.reduce((sum, { packages }) => sum + packages.length, 0);
  const { exposed, principals } = sums(cards.at(-1)?.exposure ?? before);
  const words = [cards.length === 1 ? '1 card' : `${cards.length} cards`];
  words.push(
    `with ${repairs} ${repairs === 1 ? 'repair' : 'repairs'}`,
    cards.length === 1 ? 'brings' : 'bring',
  );
  words.push(`that to ${shareOf(exposed, principals)}`);
  expect(end.text).toContain(end.reason === 'goal' ? `at most ${goal}.0%` : '');
  return words.join(' ');
}

/** Every share that the page may show: of all and of each environment, before any card and after each, and the goal. */
function percentagesOf({ before, cards, end }: PlanRecord, goal: number): ReadonlySet<string> {
  const exposures = [before, ...cards.map(({ exposure }) => exposure)];
  const shares = exposures.flatMap((all) => {
    const { exposed, principals } = sums(all);
    const own = all.map(({ exposed_count, principal_count }) => shareOf(exposed_count, principal_count));
    return [shareOf(exposed, principals), ...own];
  });
  const texts = cards.flatMap((card) => JSON.stringify(card).match(/\d+(?:\.\d+)?%/g) ?? []);
  return new Set([
    ...shares,
    ...texts,
    ...(end.text.match(/\d+(?:\.\d+)?%/g) ?? []),
    `${goal}%`,
    '100%',
    '50%',
  ]);
}
