/** The numbers on pages in a real browser, compared with the answers that contain them. */
import type { PlanRecord, UnifiedFindingRow } from '@clew/api';
import { costText, EFFORT_BANDS, EFFORT_CLASSES, formatShare, shareOf } from '@clew/model';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunningWeb } from '../browser.ts';
import { Answers, numbersIn, unexplained } from '../explained.ts';

/** @param running to be called only inside tests */
export function testNumbers(running: () => RunningWeb): void {
  test('Fix first has one truth: every number is that of the whole plan, of its goal and environment', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const answers = await Answers.of(page);
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
      answers.forget();
      await page.goto(`/ui/fix${path}`);
      await settled(page);
      await expect.poll(() => page.locator('.renewing').count()).toBe(0);
      await expect.poll(() => heroText(page)).toContain(joint(plan, goal));
      expect(await heroText(page), path).toContain(reached(plan.before));
      const rail = await page.getByRole('complementary', { name: 'Plan' }).innerText();
      const repairs = plan.cards.reduce((sum, { packages }) => sum + packages.length, 0);
      const cost = plan.cards.reduce((sum, card) => sum + card.cost, 0);
      expect(rail, path).toContain(
        `${repairs} ${repairs === 1 ? 'repair' : 'repairs'} in ${plan.card_count} card`,
      );
      expect(rail, path).toContain(costText(cost));
      expect(rail, path).toContain(plan.end.text);
      const known = union(answers.numbers(), planNumbers(plan, goal), SCALES);
      expect(await unexplained(page, known), path).toEqual([]);
      // Each card starts at the end of the previous card.
      const falls = await page.locator('.fall .to').allInnerTexts();
      for (const text of falls) expect(text.match(/\d+(?:\.\d+)?%/g), path).toHaveLength(2);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('every number of a finding and of a repair is one of the service, and says of how many', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const answers = await Answers.of(page);
    const plan = await client.plan({ limit: 50 });
    const rowsOf = async (finding_type: string) =>
      (
        await client.call('ListAttackPathFindings', {
          query: { finding_type, sort_by: ['urgency'], limit: 100 },
        })
      ).data;
    const path = (await rowsOf('relationship')).find(({ repair }) => repair !== undefined)!;
    const [single] = await rowsOf('list');
    for (const row of [path, single!]) {
      answers.forget();
      await page.goto(`/ui/finding/${row.id}`);
      await settled(page);
      await page.getByRole('region', { name: 'Remediation' }).waitFor();
      const known = union(answers.numbers(), planNumbers(plan, 10), findingNumbers(row), SCALES);
      expect(await unexplained(page, known), row.title).toEqual([]);
    }
    // The share in the head matches the counts next to it.
    await page.goto(`/ui/finding/${path.id}`);
    const head = numbersIn(await page.locator('.head-number').innerText());
    const [share, count, all] = head;
    expect(share).toBe(
      shareOf(...([count, all].map((one) => Number(one?.replace(/,/g, ''))) as [number, number])),
    );
    // The effect equals that of the card over all environments, before and after it.
    const stairs = [plan.before, ...plan.outline.map(({ exposure }) => exposure)].map((one) => {
      const { exposed, principals } = sums(one);
      return shareOf(exposed, principals);
    });
    const effect = page.locator('.standing .large-change');
    expect(numbersIn(await effect.innerText())).toEqual(stairs.slice(path.repair! - 1, path.repair! + 1));
    answers.forget();
    await page.goto(`/ui/fix/${path.repair}`);
    await page.waitForURL((url) => !url.pathname.endsWith(`/fix/${path.repair}`));
    await settled(page);
    const known = union(answers.numbers(), planNumbers(plan, 10), SCALES);
    expect(await unexplained(page, known)).toEqual([]);
    expect(numbersIn(await page.locator('.fall .to').first().innerText())).toEqual(
      stairs.slice(path.repair! - 1, path.repair! + 1),
    );
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

/** Returns the sentence about all cards together. */
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

/** Numbers derived from a plan: sums over environments, their shares, the effect of each card, and totals. */
function planNumbers({ before, cards, outline, card_count, effort }: PlanRecord, goal: number): Set<string> {
  const exposures = [
    before,
    ...cards.map(({ exposure }) => exposure),
    ...outline.map(({ exposure }) => exposure),
  ];
  const stairs = [before, ...outline.map(({ exposure }) => exposure)].map(sums);
  const counts = [
    ...exposures.map(sums),
    ...cards.map(({ exposed_before }) => ({ exposed: exposed_before ?? 0, principals: 0 })),
  ];
  const efforts = [effort, ...cards.map((card) => card.effort)];
  return new Set([
    ...counts.flatMap(({ exposed, principals }) => [exposed, principals].map(grouped)),
    ...exposures.flat().map(({ exposed_count, principal_count }) => shareOf(exposed_count, principal_count)),
    ...exposures.map(sums).map(({ exposed, principals }) => shareOf(exposed, principals)),
    // Maximum over all environments.
    ...exposures.map((all) => formatShare(Math.max(0, ...all.map(({ exposure }) => exposure)))),
    ...stairs.slice(1).map(({ exposed }, at) => grouped(stairs[at]!.exposed - exposed)),
    ...outline.map((_, at) => String(at + 1)),
    grouped(outline.reduce((sum, { repair_count }) => sum + repair_count, 0)),
    costText(outline.reduce((sum, { cost }) => sum + cost, 0)),
    grouped(card_count - cards.length),
    ...efforts.flatMap((all) => [
      ...Object.keys(all[0]?.bands ?? {}).map((band) =>
        grouped(all.reduce((sum, { bands }) => sum + bands[band as keyof typeof bands], 0)),
      ),
      grouped(all.reduce((sum, { one_action_count }) => sum + one_action_count, 0)),
    ]),
    // A title names the first repair, and counts the others.
    ...cards.map(({ packages }) => String(packages.length - 1)),
    `${goal}%`,
    `${goal}.0%`,
  ]);
}

/** Numbers derived from a finding: the base of its shares, and the positions of its steps. */
const findingNumbers = (row: UnifiedFindingRow): Set<string> =>
  new Set([
    ...[
      [row.exposure_count, row.exposure_percentage],
      [row.impact_count, row.impact_percentage],
    ].flatMap(([count = 0, share = 0]) => (share > 0 ? [grouped(Math.round(count / share))] : [])),
  ]);

/** Explained scales: the axis of a chart, attack efforts and their bands, and costs. */
const SCALES = new Set([
  ...['0%', '25%', '50%', '75%', '100%'],
  ...EFFORT_CLASSES.map(({ effort }) => String(effort)),
  ...EFFORT_BANDS.flatMap(({ least }) => [String(least), String(least - 1)]),
  // Cost 1 is one change without risk, 4 is a project; the mark T0; the path "1 of 3".
  ...['0', '1', '4'],
]);

const grouped = (count: number): string => count.toLocaleString('en-US');

const union = (...sets: readonly ReadonlySet<string>[]): Set<string> =>
  new Set(sets.flatMap((one) => [...one]));
