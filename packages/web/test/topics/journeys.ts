/**
 * Questions of a new user, each answered with at most four actions, in a real browser. On the way, equal figures have equal
 * numbers. The question who can reach an object is in `explore.ts`.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunningWeb } from '../browser.ts';
import { numbersIn } from '../explained.ts';
import { loadChange } from '../organizations.ts';
import { observeActions } from '../userActions.ts';

const MAX_ACTIONS = 4;

/** @param actions actions of the whole journey, as reported by the browser */
async function expectActions(actions: readonly string[], ...kinds: readonly string[]): Promise<void> {
  // The browser reports actions a little later.
  await expect.poll(() => actions.map((action) => action.split(' ')[0])).toEqual(kinds);
  expect(actions.length).toBeLessThanOrEqual(MAX_ACTIONS);
}

const WIDE = { viewport: { width: 1440, height: 900 } } as const;

/** @param running to be called only inside tests */
export function testJourneys(running: () => RunningWeb): void {
  test('must hold (c): the first repair is there at once, and what happens without it is said where it was left out', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open(WIDE);
    const actions = await observeActions(page);
    const { cards, excluded } = await client.plan({ limit: 50 });
    expect(excluded.constraints).toEqual([]);
    await page.goto('/ui/fix');
    await settled(page);
    const first = page.locator('article.repair').first();
    const title = await first.getByRole('heading').first().innerText();
    const reached = async () => / that to ([\d.]+%)/.exec(await heroText(page))?.[1];
    const before = await reached();
    await first.getByRole('button', { name: "We can't change this…" }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The vendor needs it');
    await dialog.getByRole('button', { name: 'Leave it out' }).click();
    const leftOut = page.getByRole('region', { name: 'Left out and answered' });
    await leftOut.getByText('The vendor needs it').waitFor({ timeout: 60_000 });
    await expect
      .poll(async () => (await client.plan({ limit: 50 })).computing, { timeout: 60_000 })
      .toBe(null);
    await expect
      .poll(() => page.locator('.renewing, .notice[role=status]').count(), { timeout: 60_000 })
      .toBe(0);
    // The figures equal those of the plans before and after the card.
    await expect
      .poll(async () =>
        numbersIn(await leftOut.getByText(/^With all of this/).innerText()).filter((one) =>
          one.endsWith('%'),
        ),
      )
      .toEqual([await reached(), before]);
    expect(await first.getByRole('heading').first().innerText()).not.toBe(title);
    await expectActions(actions, 'click', 'text', 'click');
    // The page of the repair says so too, and takes it back.
    await page.goto(`/ui/fix/${encodeURIComponent(cards[0]!.key)}`);
    await leftOut.getByText('The vendor needs it').waitFor();
    await leftOut.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await client.call('ListPlanConstraints', {})).data).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('must hold (d): what changed since last week is at most four actions away, and its counts, above 0, are those of its rows', async () => {
    const { open, settled, client } = running();
    const findings = await changeSomething(client);
    const { page, context, faults } = await open(WIDE);
    const actions = await observeActions(page);
    await page.goto('/ui/fix');
    await settled(page);
    await page
      .getByRole('link', { name: /^What changed/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'What changed' }).waitFor();
    await page
      .getByRole('radio', { name: '7 days' })
      .or(page.getByRole('button', { name: '7 days' }))
      .first()
      .click();
    await settled(page);
    const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const { data } = await client.call('GetInbox', { query: { since, limit: 100 } });
    const countOf = (name: string) => data.groups.find(({ group }) => group === name)!.count;
    for (const group of ['waiting', 'opened', 'data']) expect(countOf(group), group).toBeGreaterThan(0);
    for (const { group, count } of data.groups) {
      const section = page.locator(`section[aria-labelledby="inbox-${group}"]`);
      if (count === 0) expect(await section.count()).toBe(0);
      else
        expect(numbersIn(await section.locator('h2 .count').innerText())).toEqual([
          count.toLocaleString('en-US'),
        ]);
    }
    // A page with rows must not claim that nothing changed.
    expect(await page.getByText(/Nothing changed/).count()).toBe(0);
    const row = page.locator('.inbox li').first();
    expect(await row.innerText()).not.toBe('');
    await expectActions(actions, 'click', 'click');
    await client.call('AssignFindings', { body: { owner: null, findings } });
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** At length, for the nightly run: `ticketText.test.ts` has the text of a ticket. @param running to be called only inside tests */
export function testJourneyToColleague(running: () => RunningWeb): void {
  test('must hold (b): one path is explained to a colleague, by a text with its steps and an address that shows the same', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      ...WIDE,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const actions = await observeActions(page);
    const { cards } = await client.plan({ limit: 50 });
    await page.goto('/ui/fix');
    await settled(page);
    const card = page
      .locator('article.repair')
      .filter({ has: page.getByText('Open in Explore') })
      .first();
    const at = Number(numbersIn(await card.locator('.rank').innerText())[0]) - 1;
    await card.getByRole('button', { name: 'Copy for a ticket' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const { before, cut } = cards[at]!.paths[0]!;
    const steps = text.split('\n').filter((line) => /^\d+\. /.test(line));
    expect(steps).toHaveLength(before.steps.length);
    for (const [place, step] of steps.entries()) {
      const words = step.replaceAll('\\', '');
      expect(words).toContain(before.nodes[place]!.name);
      expect(words).toContain(before.nodes[place + 1]!.name);
      expect(words.includes('cut here')).toBe(place === cut);
    }
    // The text contains the figures of the card.
    expect(numbersIn(text.split('\n')[2]!)).toEqual(expect.arrayContaining([...(await fall(page, at))]));
    const [, address] = /Details: (\S+)/.exec(text)!;
    await page.goto(address!);
    await settled(page);
    const heading = page.locator('article.repair').getByRole('heading').first();
    expect(text).toContain((await heading.innerText()).split(',')[0]!);
    await page.getByRole('link', { name: 'Open in Explore' }).first().click();
    const story = page.getByRole('region', { name: 'Story of the path' });
    await story.getByRole('listitem').first().waitFor();
    const sentences = await story.getByRole('listitem').allInnerTexts();
    expect(sentences.length).toBeGreaterThan(0);
    await expectActions(actions, 'click', 'address', 'click');
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** Assigns two findings, and uploads another two objects. @returns the assigned findings */
async function changeSomething(client: RunningWeb['client']): Promise<number[]> {
  await client.call('MarkInbox', { body: { read_before: null } });
  const { data } = await client.call('ListAttackPathFindings', { query: { limit: 2 } });
  const findings = data.map(({ id }) => id);
  await client.call('AssignFindings', { body: { owner: 'me', findings } });
  await loadChange(client);
  return findings;
}

const heroText = (page: Page): Promise<string> =>
  page.getByRole('region', { name: 'Exposure' }).first().innerText();

/** @returns the shares before and after a card, as shown in its head */
async function fall(page: Page, at: number): Promise<readonly string[]> {
  const head = page.locator('article.repair').nth(at).locator('.fall .to').first();
  return numbersIn(await head.innerText());
}
