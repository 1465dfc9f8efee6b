/** The numbers on pages in a real browser, compared with the answers that contain them. */
import { readFile } from 'node:fs/promises';
import type { CardRecord, PlanRecord, UnifiedFindingRow } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import {
  costText,
  EFFORT_CLASSES,
  formatShare,
  remainingText,
  shareOf,
  simulatedCards,
  stepsOfPaths,
  watchedText,
} from '@clew/model';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';
import { Answers, numbersIn, type Phrases, textsOf, unexplained, unnoticed } from '../explained.ts';

/** @param running to be called only inside tests */
export function testNumbers(running: () => RunningWeb): void {
  test('Fix first has one truth: every number is that of the whole plan, of its goal and environment', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const answers = await Answers.of(page);
    const all = await client.plan({ limit: 50 });
    const environments = all.before.slice(0, 2).map(({ environment_id }) => environment_id);
    const first = { path: '', query: {}, goal: 10 };
    const others = [
      { path: '?goal=30', query: { goal: 0.3 }, goal: 30 },
      { path: '?goal=0', query: { goal: 0 }, goal: 0 },
      ...environments.map((environment) => ({
        ...{ path: `?env=${environment}`, query: { environment }, goal: 10 },
      })),
    ];
    // Each other plan takes seconds: a run examines one of a goal or of an environment.
    for (const { path, query, goal } of [first, ...sampledCases(others, 4)]) {
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
      await expectExplained(page, planParts(plan, goal), answers.texts(), path);
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
    // Findings get their cards after the plan is stored.
    const withCard = async () =>
      (await rowsOf('relationship')).find(({ repair }) => repair !== undefined) ?? false;
    const path = await vi.waitUntil(withCard, { timeout: 60_000, interval: 200 });
    const [single] = await rowsOf('list');
    for (const row of [path, single!]) {
      answers.forget();
      await page.goto(`/ui/finding/${row.id}`);
      await settled(page);
      await page.getByRole('region', { name: 'Remediation' }).waitFor();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
      });
      const stepper = page.getByText(/\d+ of \d+ (?:shown|found)/);
      const at = (await stepper.count()) === 0 ? 1 : Number(numbersIn(await stepper.innerText())[0]);
      const phrases = findingPhrases(row, await factsOf(client, row), plan, at - 1);
      await expectExplained(page, { main: { phrases } }, answers.texts(), row.title);
    }
    // The share in the head matches the counts next to it.
    await visit(page, `/ui/finding/${path.id}`);
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
    const card = plan.cards[path.repair! - 1]!;
    const phrases = { ...cardPhrases(card, path.repair!, plan), ...stepPhrases(card, path.repair!, plan) };
    await expectExplained(page, { main: { phrases } }, answers.texts(), card.title);
    expect(numbersIn(await page.locator('.fall .to').first().innerText())).toEqual(
      stairs.slice(path.repair! - 1, path.repair! + 1),
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  test('detection rules for what no card cuts arrive, and a plan to another goal keeps the old one, dimmed', async () => {
    const { open, settled, client } = running();
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
    await expectRulesAfterCards(page, client);
    const slider = page.getByRole('slider');
    await slider.focus();
    for (let step = 0; step < 5; step++) await slider.press('ArrowLeft');
    await page.getByText(/The plan to a goal of 5% is being created\..* 2 cards so far/).waitFor();
    await expect.poll(() => page.locator('.renewing article.repair').count()).toBeGreaterThan(0);
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    isLate = false;
    await expect.poll(() => page.locator('.renewing').count()).toBe(0);
    expect(await heroText(page)).toContain('at most 5% of each environment');
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** The file of detection rules for paths that no card cuts is that of the service for exactly their steps. */
async function expectRulesAfterCards(page: Page, client: ClewClient): Promise<void> {
  const plan = await client.plan({ limit: 50 });
  const { repairs, after } = simulatedCards(plan.cards, plan.card_count);
  const { paths } = (await client.call('GetRemainingPaths', { body: { repairs, limit: 10 } })).data;
  const steps = stepsOfPaths(paths);
  expect(steps.length).toBeGreaterThan(0);
  const { data } = await client.call('GetDetectionRules', { body: { steps } });
  const rules = data.steps.reduce((sum, step) => sum + step.rules.length, 0);
  expect(rules).toBeGreaterThan(0);
  const left = page.getByRole('region', { name: /^Left after/ });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    left.getByRole('button', { name: 'Download detection rules' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('paths-after-all-cards.zip');
  expect((await readFile(await download.path())).toString('base64')).toBe(data.archive);
  await page.getByText(watchedText(rules, steps.length, remainingText(paths.length, after))).waitFor();
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

/** Maximum share of numbers that could be one higher without a failure. */
const MAX_UNNOTICED = 0.15;

interface Part {
  readonly phrases: Phrases;
  /** The value whose texts the part shows; default: all answers. */
  readonly of?: unknown;
}

async function expectExplained(
  page: Page,
  parts: Readonly<Record<string, Part>>,
  texts: readonly string[],
  about: string,
): Promise<void> {
  let count = 0;
  const missed: string[] = [];
  for (const [selector, { phrases, of }] of Object.entries(parts)) {
    const all = await page.locator(selector).all();
    expect(all.length, `${about}: ${selector}`).toBe(1);
    const text = await all[0]!.innerText();
    const known = of === undefined ? texts : textsOf(of);
    expect(unexplained(text, phrases, known), `${about}: ${selector}`).toEqual([]);
    const raised = unnoticed(text, phrases, known);
    count += raised.count;
    missed.push(...raised.missed);
  }
  // Another value of the same phrase may be one higher, such as the cost of another repair.
  expect(missed.length / count, missed.join('\n')).toBeLessThan(MAX_UNNOTICED);
}

/** The same values with both forms of the noun. @param around the phrase, with "PEOPLE" for the users and computers */
function ofPeople(around: string, values: Phrases[string]): Phrases {
  const [one, several] = ['# user or computer', '# users and computers'];
  return { [around.replace('PEOPLE', one)]: values, [around.replace('PEOPLE', several)]: values };
}

/** Explained units: the scale of costs, and the marks of attack effort. */
const UNITS: Phrases = {
  '# is one change without risk': [[1]],
  '# is a project': [[4]],
};

/** All parts of Fix first, by their selectors, each with the values of the plan that it shows. */
function planParts(plan: PlanRecord, goal: number): Readonly<Record<string, Part>> {
  const { cards, decisions, left } = plan;
  const parts: Record<string, Part> = {
    '.hero': { phrases: heroPhrases(plan, goal), of: plan.end },
    'main aside': { phrases: railPhrases(plan, goal), of: [plan.end, plan.before] },
  };
  for (const [at, card] of cards.slice(0, SHOWN_CARDS).entries())
    parts[`article[aria-labelledby="card-${at + 1}"]`] = {
      ...{ phrases: cardPhrases(card, at + 1, plan), of: card },
    };
  if (decisions.length > 0)
    parts['.decisions'] = { phrases: costsOf(decisions.map(({ cost }) => cost)), of: decisions };
  if (left !== null && left.holders.length > 0)
    parts['.left-exposed'] = { phrases: leftPhrases(plan), of: left };
  return parts;
}

/** Number of cards that the page shows at first. */
const SHOWN_CARDS = 5;

function heroPhrases({ before, outline, effort }: PlanRecord, goal: number): Phrases {
  const stairs = [before, ...outline.map(({ exposure }) => exposure)].map(sums);
  const shares = stairs.map(({ exposed, principals }) => [shareOf(exposed, principals)]);
  const [first, last] = [stairs[0]!, stairs.at(-1)!];
  const highest = Math.max(0, ...(outline.at(-1)?.exposure ?? before).map(({ exposure }) => exposure));
  const repairs = outline.reduce((sum, { repair_count }) => sum + repair_count, 0);
  const isMet = ({ exposure }: PlanRecord['outline'][number]): boolean =>
    exposure.every((one) => one.exposure <= goal / 100);
  const band = (name: keyof PlanRecord['effort'][number]['bands']) => [
    [effort.reduce((sum, { bands }) => sum + bands[name], 0)],
  ];
  return {
    ...ofPeople('# of PEOPLE', [[first.exposed, first.principals]]),
    ...ofPeople('PEOPLE can still reach it', [[last.exposed]]),
    'For # of them': [[effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0)]],
    '# card(s) with # repair(s)': [[outline.length, repairs]],
    'that to #': [[shareOf(last.exposed, last.principals)]],
    'no environment above #': [[shareOf(Math.round(highest * 1_000_000), 1_000_000)]],
    'at most #': [[`${goal}%`]],
    // The chart of a short plan.
    '^card #': outline.map((_, at) => [at + 1]),
    'Card # meets it': [[outline.findIndex(isMet) + 1]],
    ...{ 'Trivial #': band('trivial'), 'Easy #': band('easy'), 'Moderate #': band('moderate') },
    ...{ 'Hard #': band('hard'), 'No path #': band('none') },
    // The large number, the axis and the steps of the chart, and the numbers of the cards below them.
    '^#': [
      ...shares,
      ...[0, 25, 50, 75, 100, goal].map((percent) => [`${percent}%`]),
      ...outline.map((_, at) => [at + 1]),
      ...outline.map(({ exposure }) => [shareOf(Math.round(highestOf(exposure) * 1_000_000), 1_000_000)]),
    ],
    ...EFFORT_SCALE,
  };
}

const highestOf = (all: Exposures): number => Math.max(0, ...all.map(({ exposure }) => exposure));

/** The explanation of attack effort has the efforts of its classes, and the limits of its bands. */
const EFFORT_SCALE: Phrases = {
  ...Object.fromEntries(EFFORT_CLASSES.map(({ effort, name }) => [`${name} #`, [[effort]]])),
};

/** A cost of one change is drawn as squares with its words, or, above 4, also as a number. */
const costsOf = (costs: readonly number[]): Phrases => ({
  ...UNITS,
  'Cost #': costs.map((cost) => [costText(cost)]),
  '^#': costs.filter((cost) => cost > 4).map((cost) => [costText(cost)]),
});

function railPhrases({ before, outline, card_count }: PlanRecord, goal: number): Phrases {
  const repairs = outline.reduce((sum, { repair_count }) => sum + repair_count, 0);
  const cost = costText(outline.reduce((sum, one) => sum + one.cost, 0));
  return {
    ...UNITS,
    'at most #': [[`${goal}%`]],
    '# repair(s) in # card(s)': [[repairs, card_count]],
    '^#': [[cost], ...before.map((one) => [shareOf(one.exposed_count, one.principal_count)])],
  };
}

function leftPhrases({ left, card_count }: PlanRecord): Phrases {
  const { holders, holder_count } = left!;
  const costs = costsOf(holders.flatMap(({ cut }) => (cut === null ? [] : [cut.cost])));
  return {
    ...costs,
    'Left after all # cards': [[card_count]],
    ...ofPeople(
      'PEOPLE, # action(s), attack effort #',
      holders.map(({ principal_count, actions, effort }) => [principal_count, actions, effort]),
    ),
    ...ofPeople(
      'PEOPLE, no action needed',
      holders.filter(({ actions }) => actions === 0).map(({ principal_count }) => [principal_count]),
    ),
    'and # more': [[holder_count - holders.length]],
  };
}

function cardPhrases(card: CardRecord, number: number, { cards, before }: PlanRecord): Phrases {
  const { packages, paths, cost, closed_count, opened_count, accepted_count, affected_count } = card;
  const [from, to] = [cards[number - 2]?.exposure ?? before, card.exposure].map(sums);
  const costs = costsOf(packages.map((one) => one.cost));
  return {
    ...costs,
    '^#': [
      ...costs['^#']!,
      [number],
      ...[from!, to!].map(({ exposed, principals }) => [shareOf(exposed, principals)]),
    ],
    'Total cost #': [[costText(cost)]],
    'and # more repair(s)': [[packages.length - 1]],
    'Do these # together': [[packages.length]],
    'closes # finding(s)': [[closed_count ?? 0]],
    'The # findings that it closes': [[closed_count ?? 0]],
    '# new one(s) open(s)': [[opened_count ?? 0]],
    '# of them accepted': [[accepted_count ?? 0]],
    ...ofPeople('PEOPLE lose(s) access', [[affected_count]]),
    ...ofPeople('PEOPLE cut off', [[from!.exposed - to!.exposed]]),
    'attack effort #': paths.flatMap((path) => [
      [path.before.effort],
      ...(path.after === null ? [] : [[path.after.effort]]),
    ]),
    '# of #': [[1, paths.length]],
    '# change(s)': packages.map(({ change_count }) => [change_count]),
  };
}

/** The phrases that only the page of a card has: its steps in detail, and its costs again. */
function stepPhrases(card: CardRecord, number: number, plan: PlanRecord): Phrases {
  const { packages, closed_count, closed, cost } = card;
  const lines = cardPhrases(card, number, plan)['^#']!;
  return {
    '^#': [...lines, ...costsOf(packages.map((one) => one.cost))['^#']!, [costText(cost)]],
    'With # of # done, changes that cost at least #': packages.map(({ cost_still_needed }, at) => [
      ...[at + 1, packages.length, costText(cost_still_needed ?? 0)],
    ]),
    'The # scripts': packages.map(({ references }) => [references.length]),
    'powershell File change # ps1': packages
      .flatMap(({ references }) => references)
      .map((_, at) => [String(at + 1).padStart(2, '0')]),
    'and # more change(s)': packages.map(({ change_count, changes }) => [change_count - changes.length]),
    'and # more finding(s)': [[(closed_count ?? 0) - closed.length]],
    ...ofPeople(
      'PEOPLE',
      packages.map(({ affected_count }) => [affected_count]),
    ),
  };
}

/** The answers about a finding that its page shows. */
async function factsOf(client: RunningWeb['client'], { id }: UnifiedFindingRow) {
  const params = { finding_id: id };
  const evidence = (await client.call('GetFindingEvidence', { params })).data;
  if (evidence.attack_path === null) return { evidence, paths: undefined };
  return { evidence, paths: (await client.call('GetFindingPaths', { params })).data };
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

function findingPhrases(
  row: UnifiedFindingRow,
  { evidence, paths }: Awaited<ReturnType<typeof factsOf>>,
  { before, outline }: PlanRecord,
  shown: number,
): Phrases {
  const { relations, values, repairs } = evidence;
  const listed = paths?.paths ?? [];
  const path = listed.slice(shown, shown + 1);
  const { exposure_count = 0, exposure_percentage = 0, impact_count = 0, impact_percentage = 0 } = row;
  const outside = before.find(({ environment_id }) => environment_id === row.environment_id)?.principal_count;
  // A finding of no zone counts all users and computers of the environment, and no answer has their sum.
  const all = row.asset_group_tag_id === 1 ? outside : Math.round(exposure_count / exposure_percentage);
  const exposed = [exposure_count, all ?? 0];
  // The members of the zone count too, and no answer has their sum.
  const impact = [impact_count, impact_percentage > 0 ? Math.round(impact_count / impact_percentage) : 0];
  const stairs = [before, ...outline.map(({ exposure }) => exposure)].map(sums);
  const ofCard = row.repair === undefined ? [] : stairs.slice(row.repair - 1, row.repair + 1);
  const closing = repairs.filter(({ closes }) => closes).length;
  const parts = [...(row.part_ids ?? []), ...(row.part_of_id === undefined ? [] : [row.part_of_id])];
  return {
    ...costsOf(repairs.map(({ cost }) => cost)),
    '^#': [
      [formatShare(exposure_percentage)],
      ...ofCard.map((one) => [shareOf(one.exposed, one.principals)]),
      // The chosen way, and the list of all ways.
      ...[...repairs.slice(0, 1), ...repairs]
        .filter(({ cost }) => cost > 4)
        .map(({ cost }) => [costText(cost)]),
    ],
    ...ofPeople('# of PEOPLE', [exposed]),
    ...ofPeople('# of PEOPLE, including members of the zone', [impact]),
    'Impact #': [[formatShare(impact_percentage)]],
    '# step(s)': path.map(({ efforts }) => [efforts.length]),
    'attack effort #': path.map(({ effort }) => [effort]),
    'At least #': paths === undefined || paths.is_complete ? [] : [[paths.count]],
    'All #': paths?.is_complete ? [[paths.count]] : [],
    '# of # shown': [[shown + 1, listed.length]],
    '# of # found': [[shown + 1, listed.length]],
    ...ofPeople(
      '# of PEOPLE of all environments come this way',
      path.map(({ principal_count }) => [principal_count ?? 0, paths?.principal_count ?? 0]),
    ),
    'All # facts': [[relations.length + values.filter(({ value }) => !isEmpty(value)).length]],
    ...Object.fromEntries(
      values
        .filter(({ value }) => typeof value === 'number')
        .map(({ property, value }) => [`${property} #`, [[value as number]]]),
    ),
    '# of # ways': [[1, repairs.length]],
    'All # ways # close(s)': [[repairs.length, closing]],
    'All # ways none closes': closing === 0 ? [[repairs.length]] : [],
    '# principal(s) lose(s) access': repairs.map(({ affected_count }) => [affected_count ?? 0]),
    'before and after card #': row.repair === undefined ? [] : [[row.repair]],
    'finding #': parts.map((id) => [String(id)]),
    'These are #': [[row.part_count ?? 0]],
  };
}
