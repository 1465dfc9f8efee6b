/** Faults found by inspections about sizes, places and waits, by number, in a real browser. */
import { sampledCases } from '@clew/common/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';
import { textOf } from './points.ts';

const STEPS = 12;
/** Minimum text size in a drawing, except for the zone badge. */
const MIN_TEXT = 11;

/** @param running to be called only inside tests */
export function testPlaces(running: () => RunningWeb): void {
  test('fault 3: while the plan is made, Fix first says so, waits, and asks the service a few times only', async () => {
    const { open, client } = running();
    const { cards, generation, published_at } = await client.plan({ limit: 1 });
    const { page, context, faults } = await open();
    let count = 0;
    await page.route('**/api/v2/plan?**', async (route) => {
      count++;
      if (count > 2) return route.continue();
      const progress = {
        generation,
        published_at,
        started_at: published_at,
        card_count: 0,
        exposed_count: 7,
      };
      return route.fulfill({ status: 202, json: { data: { ...progress, fault: null } } });
    });
    await page.goto('/ui/fix');
    await page.getByText(/0 cards so far, 7 .* still exposed after them/).waitFor();
    const card = page.locator('article.repair').first();
    await card.waitFor();
    // Names omit the domain that the card shows once.
    await expect.poll(() => card.textContent()).toContain(cards[0]!.packages[0]!.title.split('@')[0]);
    expect(count).toBeLessThan(5);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('faults 5 and 6: a path of 12 steps has every name in full, in texts that can be read and never overlap', async () => {
    const { open, settled, client } = running();
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const found = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const admins = found.find(({ name }) => name.startsWith('DOMAIN ADMINS@'))!;
    const ids = [
      user!.objectid,
      ...Array.from({ length: STEPS - 1 }, (_, at) => `S-1-5-21-9-9-9-${at}`),
      admins.objectid,
    ];
    const names = ids.map((_, at) => `${'OPERATORS_OF_THE_'.slice(0, 4 + at)}${at}@SOUTH.LONG-NAME.EXAMPLE`);
    // The collection has no path of this length, so the answer is composed here, without repairs.
    const { page, context, faults } = await open({
      ...{ viewport: { width: 1440, height: 900 } },
      expected: [400],
    });
    await page.route(/\/graphs\/(?:shortest-path|cypher)(?:\?|$)/, (route) =>
      route.fulfill({ json: { data: pathAnswer(ids, names) } }),
    );
    await page.goto(`/ui/explore?mode=path&from=${ids[0]}&to=${admins.objectid}`);
    await settled(page);
    await page.getByRole('img', { name: /^Drawing of/ }).waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Story of the path' }).getByRole('listitem').count())
      .toBe(STEPS);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByLabel('Export').selectOption('svg'),
    ]);
    const texts = await textsOf(await page.context().newPage(), await textOf(file));
    for (const name of names) {
      const [title, domain] = name.split('@');
      expect(texts.filter(({ words }) => words === title).length).toBe(1);
      expect(texts.filter(({ words }) => words === domain).length).toBe(names.length);
    }
    for (const { words, size } of texts)
      expect([words, words === 'T0' || size >= MIN_TEXT]).toEqual([words, true]);
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1))
        expect([one.words, other.words, overlap(one, other)]).toEqual([one.words, other.words, false]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 21: on a phone and at 200 %, the answer is on the first screen, and no word is broken', async () => {
    const { open, settled, client } = running();
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const { page, context, faults } = await open();
    for (const [width, height] of [
      [390, 844],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await visit(page, `/ui/explore?mode=path&from=${user!.objectid}&to=${admins!.objectid}`);
      await settled(page);
      const step = page.getByRole('region', { name: 'Story of the path' }).getByRole('listitem').first();
      await step.waitFor();
      const box = (await step.boundingBox())!;
      expect([width, box.y + box.height < height]).toEqual([width, true]);
    }
    // The title of a card in a report has the full width of the card.
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, '/ui/reports');
    await settled(page);
    const header = page.locator('.report-card > header').first();
    const [whole, title] = await Promise.all([header.boundingBox(), header.locator('h3').boundingBox()]);
    expect(title!.width).toBeGreaterThan(0.9 * whole!.width);
    // The default order of rows has a label, and can be restored.
    await visit(page, '/ui/findings?sort=title');
    await settled(page);
    const order = page.getByLabel('Sort by');
    await order.selectOption({ label: 'Priority: severity and plan' });
    await page.waitForURL((to) => !to.search.includes('sort='));
    await expect.poll(() => order.inputValue()).toBe('');
    // The longest names of the plan and of findings are wider than a phone.
    const { data: findings } = await client.call('ListAttackPathFindings', { query: { limit: 500 } });
    const longest = findings
      .filter(({ relation }) => relation !== undefined)
      .sort((a, b) => b.target_principal_name.length - a.target_principal_name.length)[0]!;
    // A run examines one or two of the pages of each width.
    for (const path of sampledCases(['/ui/fix', '/ui/reports', `/ui/finding/${longest.id}`], 3)) {
      await visit(page, path);
      await settled(page);
      await page.locator('main :is(h1, h2, h3)').first().waitFor();
      expect([path, await brokenWords(page, 'h1, h2, h3, .what')]).toEqual([path, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const tables = ['/ui/findings', '/ui/findings?view=type', '/ui/admin?view=audit', '/ui/data'];
    for (const path of sampledCases(tables, 2)) {
      await visit(page, path);
      await settled(page);
      expect([path, await brokenWords(page)]).toEqual([path, []]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

function pathAnswer(ids: readonly string[], names: readonly string[]) {
  const lastSeen = '2026-01-01T00:00:00.000000Z';
  const nodes = ids.map((objectId, at) => [
    at,
    {
      ...{ label: names[at], kind: 'Group', kinds: ['Group'], objectId, lastSeen },
      ...{ isTierZero: at === ids.length - 1, isOwnedObject: false },
    },
  ]);
  const edges = ids.slice(1).map((_, at) => ({
    ...{ source: String(at), target: String(at + 1), label: 'GenericAll', kind: 'GenericAll' },
    ...{ lastSeen, properties: {} },
  }));
  return { nodes: Object.fromEntries(nodes), edges, literals: [], columns: ['p'], rows: [], milliseconds: 1 };
}

interface DrawnText {
  readonly words: string;
  readonly size: number;
  readonly box: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}

/** @returns the texts of a drawing with their boxes in the browser */
async function textsOf(page: Page, svg: string): Promise<DrawnText[]> {
  await page.setContent(svg);
  const texts = await page.locator('text').evaluateAll((all) =>
    all.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return {
        words: element.textContent,
        size: Number(element.getAttribute('font-size')),
        box: { left, right, top, bottom },
      };
    }),
  );
  await page.close();
  return texts;
}

/** Text boxes include padding above and below the letters, so two pixels may overlap. */
const overlap = ({ box: a }: DrawnText, { box: b }: DrawnText): boolean =>
  a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;

/** @returns words in tables that are broken across lines without a hyphen or other break character */
const brokenWords = (page: Page, within = 'table'): Promise<string[]> =>
  page.evaluate((selector) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent?.closest(selector)) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[a-z]{4,}/gi)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${word} in ${parent.textContent}`);
      }
    }
    return found;
  }, within);
