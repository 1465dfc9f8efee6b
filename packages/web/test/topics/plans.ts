/** Repairs, plans and what-if in a real browser, by section of the design. */

import { readFile } from 'node:fs/promises';
import type { RemainingPathsRequest } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { costText, costWords, effortWords, shareOf } from '@clew/model';
import type { Locator, Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOfState, type RunningWeb, visit } from '../browser.ts';
import { loadChange } from '../organizations.ts';

/** Expects that no content is wider than a phone. */
async function expectToFitPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  // Drawings are measured again after the window is resized.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

const FOREIGN = {
  ...{ id: 1, kind: 'backup', file: null, added_by: 'bob', added_at: '2020-01-31T10:00:00.000000Z' },
  ...{ may_remove: false, change_count: 2, claims: [] },
};
const PROOF = /\/api\/v2\/plans\/\d+\/proof/;
const MONTHS = ['2026-10', '2026-11'].map((month) => ({
  ...{ month, done_count: 0, came_back_count: 0, not_seen_count: 0, contradicted_count: 0, overdue_count: 0 },
}));

/** @param running is called inside the tests: the service is started before them */
export function testPlans(running: () => RunningWeb): void {
  test('design 4.2: a repair shows its path before and after, and has an owner, a due date and notes', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 50 });
    const body = { name: 'Autumn', cards: cards.map(({ key }) => key) };
    const { data: adopted } = await client.call('AdoptPlan', { body });
    const card = cards.find(({ packages, paths }) => packages.length === 1 && paths.length > 0)!;
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/ui/fix/${encodeURIComponent(card.key)}`);
    await settled(page);
    const rail = page.getByRole('complementary', { name: 'Effect and owner of the repair' });
    await rail.getByRole('list', { name: /^Attack path before .* cut at step/ }).waitFor();
    await rail
      .getByText('No path remains.')
      .or(rail.getByRole('list', { name: /^Attack path after/ }))
      .first()
      .waitFor();
    await rail.getByRole('combobox').selectOption({ label: 'admin' });
    await rail.locator('input[type=date]').fill('2020-01-31');
    await rail.getByRole('textbox', { name: 'Notes' }).fill('Ask the owners of <b>the servers</b> first');
    // A draft stays until it is sent.
    await page.reload();
    await expect
      .poll(() => rail.getByRole('textbox', { name: 'Notes' }).inputValue())
      .toMatch(/^Ask the owners/);
    await rail.getByRole('combobox').selectOption({ label: 'admin' });
    await rail.locator('input[type=date]').fill('2020-01-31');
    await rail.getByRole('button', { name: 'Save' }).click();
    await rail.getByText('Overdue since Jan 31, 2020').waitFor();
    const repairOf = async () =>
      (await client.call('ListAdoptedPlans', {})).data
        .find(({ plan_id }) => plan_id === adopted.id)!
        .repairs.find(({ key }) => key === card.packages[0]!.key)!;
    expect(await repairOf()).toMatchObject({
      ...{ owner: { name: 'admin' }, due: '2020-01-31', updated: { by: 'admin' } },
      notes: 'Ask the owners of <b>the servers</b> first',
    });
    expect(await faultsOfState(page)).toEqual([]);
    // While names are masked, notes are masked text too.
    await page.keyboard.press('m');
    await rail.getByText('Ask the owners of').waitFor();
    expect(await rail.getByRole('textbox').count()).toBe(0);
    await page.keyboard.press('m');
    // Fix first shows the owner.
    await visit(page, '/ui/fix');
    await settled(page);
    const plan = page.locator('.adopted-plan', { hasText: 'Autumn' });
    await plan.locator('summary').first().click();
    await page.route(PROOF, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, months: MONTHS, evidence: [FOREIGN] } } });
    });
    await page.getByText('admin, overdue since Jan 31, 2020').first().waitFor();
    const proof = plan.locator('.proof');
    await proof.locator('summary').click();
    await proof.getByText('○ To do').first().waitFor();
    await proof.getByText('Overdue since Jan 31, 2020').waitFor();
    await proof.getByText(/^Card 1: predicted .* not reached yet$/).waitFor();
    // Evidence of others cannot be removed.
    await proof.getByText(/^about 2 changes, added by bob on /).waitFor();
    expect(await proof.getByRole('button', { name: 'Remove…' }).count()).toBe(0);
    expect(await faultsOfState(page)).toEqual([]);
    // The choice of a month keeps the focus while its answer is awaited.
    const month = proof.getByRole('combobox', { name: 'Month' });
    await month.focus();
    const answered = page.waitForResponse(/\/proof\?.*month=/);
    await month.selectOption(MONTHS[0]!.month);
    await answered;
    await settled(page);
    expect(await month.evaluate((element) => document.activeElement === element)).toBe(true);
    await month.selectOption('');
    await settled(page);
    await page.unroute(PROOF);
    // A transcript of the kit is evidence, which waits for a collection.
    const repairs = card.packages[0]!.references.slice(0, 1);
    const { data: kit } = await client.call('GetChangeKit', { body: { repairs } });
    const [{ digests }] = JSON.parse(kit.files.find(({ name }) => name === 'changes.json')!.text);
    const transcript = [
      ...['change change-01', 'mode Apply', 'time 2020-01-31T10:00:00Z', 'host dc1.example.test'],
      ...digests.map((fact: string) => `fact ${fact}`),
      ...['after wanted', 'code 0'],
    ].map((line) => `Clew-record: ${line}\r\n`);
    const add = (text: string) =>
      proof
        .getByLabel('Add transcript or backup of a change kit')
        .setInputFiles({ name: 'Apply.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await add('Ticket 17');
    await proof.getByRole('alert').filter({ hasText: 'not a transcript or backup' }).waitFor();
    await add(transcript.join(''));
    await page.getByText('1 file added as evidence').waitFor();
    await proof
      .getByText(/^The transcript says made on dc1\.example\.test at 2020-01-31 10:00 UTC; /)
      .first()
      .waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    await proof.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove evidence' }).click();
    await expect.poll(() => proof.getByText(/^The transcript says made/).count()).toBe(0);
    // A change is marked as done with a note, which is kept until it is sent; the notice takes the mark back.
    const marked = async () =>
      (await client.call('ListAdoptedPlans', {})).data
        .find(({ plan_id }) => plan_id === adopted.id)!
        .changes.flatMap(({ marked: mark }) => (mark === null ? [] : [mark.note]));
    const note = page.getByRole('dialog').getByLabel('Note, such as the number of a ticket (optional)');
    await plan
      .getByRole('button', { name: /^Mark as done…/ })
      .first()
      .click();
    await note.fill('CHG-17, ask @admin');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await plan
      .getByRole('button', { name: /^Mark as done…/ })
      .first()
      .click();
    await expect.poll(() => note.inputValue()).toBe('CHG-17, ask @admin');
    expect(await faultsOfState(page, { within: 'dialog[open]' })).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as done' }).click();
    await plan.getByText('CHG-17, ask').first().waitFor();
    await proof.getByText('… Marked as done, no proof yet').waitFor();
    expect(await marked()).toEqual(['CHG-17, ask @admin']);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(marked).toEqual([]);
    await client.call('DeletePlan', { params: { plan_id: adopted.id } });
    // The refused file.
    expect(faults.filter((fault) => !fault.includes(`/plans/${adopted.id}/evidence`))).toEqual([]);
    await context.close();
  });

  test('design 4.7: two dates are compared, as a drawing and as lists', async () => {
    const { open, settled, client } = running();
    await loadChange(client);
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/posture?view=compare');
    await settled(page);
    await page.getByRole('table', { name: 'Exposure at both dates' }).waitFor();
    await page.locator('canvas[aria-label^="Drawing of "]').waitFor();
    const second = page.getByRole('region', { name: 'Only at the second date' });
    await second.getByText(/^Objects/).click();
    await second
      .getByText(/^COMPARED/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Only at the first date' }).waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'First date' }).fill('2026-01-02');
    await page.waitForURL(/compare=2026-01-02\.\./);
    await settled(page);
    // Both dates precede the first analysis.
    await visit(page, '/ui/posture?view=compare&compare=2020-01-01..2020-02-01');
    await page.getByText('Both dates have the same analysis').waitFor();
    await expectToFitPhone(page);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a card that does not name all of its changes cannot be tried, in Fix first and in What if', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 50 });
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.route('**/api/v2/plan?*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: Awaited<ReturnType<typeof client.plan>> };
      const [first] = json.data.cards;
      if (first !== undefined) first.packages[0]!.change_count++;
      await route.fulfill({ response, json });
    });
    for (const [path, list] of [
      ['/ui/fix', 'article.repair'],
      ['/ui/what-if', '#basket ~ .pairs > li'],
    ] as const) {
      await visit(page, path);
      await settled(page);
      const rows = page.locator(list);
      await rows.nth(1).waitFor();
      await expect
        .poll(() => rows.first().textContent())
        .toContain(cards[0]!.packages[0]!.title.split('@')[0]!);
      expect(await rows.first().getByRole('button', { name: 'Add to What if' }).count()).toBe(0);
      await expect.poll(() => rows.nth(1).getByRole('button', { name: 'Add to What if' }).count()).toBe(1);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a simulation that takes long says its seconds, and can be canceled', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/what-if');
    await settled(page);
    let isHeld = true;
    await page.route('**/api/v2/plan/simulate*', async (route) => {
      if (isHeld) return;
      // A canceled request has no answer.
      await route.continue().catch(() => undefined);
    });
    const effect = await cancelFirstSimulation(page);
    isHeld = false;
    await effect.getByRole('button', { name: 'Simulate again' }).click();
    await effect.locator('.large-change').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('design 4.8: changes to try are reordered by button and by dragging, with the exposure after each', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 50 });
    const items = cards.slice(0, 3).map(({ packages }) => ({
      title: packages.map(({ title }) => title).join('; '),
      request: { repairs: packages.flatMap(({ references }) => references) },
    }));
    expect(items.length).toBe(3);
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/fix');
    await settled(page);
    for (const at of [0, 1, 2]) {
      await page.getByRole('button', { name: 'Add to What if' }).first().click();
      await page.getByText(`Added to What if (${at + 1})`).waitFor();
    }
    await visit(page, '/ui/what-if');
    await settled(page);
    const steps = page.locator('.steps-to-try > li');
    const order = () => steps.locator('.what').allTextContents();
    const [first, second, third] = await order();
    // Each step shows its cost as a number, a single repair also as a word, and can be excluded from the plan; the costs are
    // summed.
    for (const [at, { cost, packages }] of cards.slice(0, 3).entries()) {
      const facts = await steps.nth(at).locator('.step-facts').textContent();
      expect(facts).toContain(`Cost ${packages.length === 1 ? costWords(cost) : costText(cost)}`);
      expect(facts?.includes('(')).toBe(packages.length === 1);
    }
    const total = cards.slice(0, 3).reduce((sum, { cost }) => sum + cost, 0);
    await page.getByText(`Total cost ${costText(total)} (`).waitFor();
    await steps.first().getByRole('button', { name: "We can't change this…" }).click();
    await page.getByRole('dialog', { name: "We can't change this" }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Move down: ${first}` }).click();
    expect(await order()).toEqual([second, first, third]);
    // The page must not move while the pointer drags.
    await settled(page);
    await steps.nth(2).dragTo(steps.nth(0));
    await expect.poll(order).toEqual([third, second, first]);
    await page.getByRole('checkbox', { name: 'Show the exposure after each step' }).check();
    await expect.poll(() => steps.getByText(/^Exposure .*→/).count(), { timeout: 60_000 }).toBe(3);
    // The effect of all steps together does not depend on their order.
    const { data } = await client.call('SimulatePlan', {
      body: { repairs: items.flatMap(({ request }) => request.repairs) },
    });
    const exposed = data.after.reduce((sum, one) => sum + one.exposed_count, 0);
    const all = data.after.reduce((sum, one) => sum + one.principal_count, 0);
    // The answer comes first: both numbers, every environment as a bar of equal length, and the remaining paths.
    const effect = page.locator('section.card', { hasText: 'Exposure with these 3 changes' });
    await effect.locator('.large-change strong').waitFor();
    await expect
      .poll(() => page.locator('section.card h2').first().textContent())
      .toBe('Exposure with these 3 changes');
    const lengths = await effect
      .locator('.environment-falls .fall-bar')
      .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
    expect(lengths.length).toBeGreaterThan(2);
    expect(new Set(lengths).size).toBe(1);
    await expectRemainingPaths(effect, client, { repairs: items.flatMap(({ request }) => request.repairs) });
    await expect.poll(() => page.locator('canvas').count()).toBeLessThanOrEqual(1);
    await expect.poll(() => steps.nth(2).textContent()).toContain(shareOf(exposed, all));
    expect(await faultsOfState(page)).toEqual([]);
    // The selection survives a reload.
    await page.reload();
    await settled(page);
    expect(await order()).toEqual([third, second, first]);
    await expectToFitPhone(page);
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each(sampledCases([1, 3], 2))(
    'an analysis between both answers is said, and the simulations are repeated (changes to try: %i)',
    async (count) => {
      const { open, settled } = running();
      const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
      await page.goto('/ui/fix');
      await settled(page);
      for (let at = 1; at <= count; at++) {
        await page.getByRole('button', { name: 'Add to What if' }).first().click();
        await page.getByText(`Added to What if (${at})`).waitFor();
      }
      await expectSameAnalysis(page, count);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
}

/** Cancels the simulation of the first change, which is held. @returns the card of its effect */
async function cancelFirstSimulation(page: Page): Promise<Locator> {
  await page.locator('#basket ~ .pairs').getByRole('button', { name: 'Add to What if' }).first().click();
  const effect = page.locator('section.card', { hasText: /^Exposure with / });
  const cancel = effect.getByRole('button', { name: 'Cancel' });
  await effect.getByText(/Waiting for the simulation, [5-9] s/).waitFor();
  // The wait is announced once, without its seconds and its button.
  expect(await effect.getByRole('status').allTextContents()).toEqual(['Waiting for the simulation']);
  expect(await effect.locator('[aria-live]').allTextContents()).toEqual(['']);
  await cancel.click();
  await effect.getByText('The simulation was canceled').waitFor();
  return effect;
}

/** Tests at length, for the nightly run. */
export function testPlansAtLength(running: () => RunningWeb): void {
  test('each simulation that takes long says its seconds and can be canceled, without canceling others', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/what-if');
    await settled(page);
    let isHeld = true;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v2/plan/simulate*', async (route) => {
      if (isHeld) await released;
      // A canceled request has no answer.
      await route.continue().catch(() => undefined);
    });
    const effect = await cancelFirstSimulation(page);
    isHeld = false;
    await effect.getByRole('button', { name: 'Simulate again' }).click();
    await effect.locator('.large-change').waitFor();

    const cancel = effect.getByRole('button', { name: 'Cancel' });
    // The second simulation: the effect of the first change stays, dimmed, until it is canceled.
    isHeld = true;
    await page.locator('summary', { hasText: 'Disable a principal' }).click();
    await page.getByRole('combobox', { name: 'Principal to disable' }).fill('ada.abel');
    await page.locator('.suggestions.open li').first().click();
    const steps = page.locator('.steps-to-try > li');
    await steps
      .nth(1)
      .getByRole('button', { name: /^Move up/ })
      .click();
    await page.getByRole('checkbox', { name: 'Show the exposure after each step' }).check();
    await effect.getByText(/Waiting for the simulation, [5-9] s/).waitFor();
    expect(await effect.locator('.renewing .large-change').count()).toBe(1);
    await cancel.click();
    await effect.getByText('The simulation was canceled').waitFor();
    expect(await effect.locator('.large-change').count()).toBe(0);
    await steps.nth(1).getByText('Not simulated').waitFor();
    // The first step is another simulation, which continues.
    await steps.nth(0).getByText('Simulating…').waitFor();
    isHeld = false;
    release();
    await steps
      .nth(0)
      .getByText(/^Exposure .*→/)
      .waitFor();
    await effect.getByRole('button', { name: 'Simulate again' }).click();
    await effect.locator('.large-change').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
}

/**
 * If an analysis is published between both answers, the page says so, shows no paths of the other one, and repeats all shown simulations.
 * If the answers differ after several attempts, the user can try again.
 */
async function expectSameAnalysis(page: Page, count: number): Promise<void> {
  const asked: string[] = [];
  const note = (request: Request): void => {
    if (request.url().endsWith('/plan/simulate')) asked.push(request.postData() ?? '');
  };
  await otherAnalysis(page, 1);
  await visit(page, '/ui/what-if');
  await page.getByText('The data was analyzed again in the meantime').waitFor();
  expect(await page.locator('.remaining-paths li.inset').count()).toBe(0);
  if (count > 1) {
    await page.getByRole('checkbox', { name: 'Show the exposure after each step' }).check();
    const steps = page.locator('.steps-to-try > li').getByText(/^Exposure .*→/);
    await expect.poll(() => steps.count(), { timeout: 60_000 }).toBe(count);
  }
  page.on('request', note);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor({ timeout: 60_000 });
  await again.click();
  // The last step has the request of the whole effect.
  await expect.poll(() => new Set(asked).size, { timeout: 60_000 }).toBe(count);
  page.off('request', note);
  await page.unroute(REMAINING);
  await again.waitFor({ timeout: 60_000 });
  // A process that has not loaded the analysis yet answers twice.
  let older = 2;
  await otherAnalysis(page, -1, () => older-- > 0);
  await page.reload();
  await page.locator('.remaining-paths li.inset').first().waitFor({ timeout: 60_000 });
  expect(older).toBe(-1);
  await page.unroute(REMAINING);
}

const REMAINING = '**/api/v2/plan/remaining-paths';

/** Answers with the remaining paths of another analysis. */
async function otherAnalysis(page: Page, difference: number, isOther = () => true): Promise<void> {
  await page.route(REMAINING, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const generation = data.generation + (isOther() ? difference : 0);
    await route.fulfill({ response, json: { data: { ...data, generation } } });
  });
}

/** Each path has its effort, its cut, and the repairs that close it, as in the answer of the service; one of them can be added. */
async function expectRemainingPaths(
  effect: Locator,
  client: RunningWeb['client'],
  body: RemainingPathsRequest,
): Promise<void> {
  const { paths, end } = (await client.call('GetRemainingPaths', { body })).data;
  expect(paths.length).toBeGreaterThan(1);
  await effect.getByText(end.text).waitFor();
  const rows = effect.locator('.remaining-paths li.inset');
  await rows.first().waitFor({ timeout: 60_000 });
  await expect.poll(() => rows.count()).toBe(paths.length);
  for (const [at, { effort, nodes, steps, closed_by, not_closed, principal_count }] of paths.entries()) {
    const row = rows.nth(at);
    const head = await row.locator('.inset-head').innerText();
    expect(head).toContain(
      `${steps.length === 1 ? '1 step' : `${steps.length} steps`}, ${effortWords(effort)}`,
    );
    expect(head).toContain(principal_count!.toLocaleString('en-US'));
    await row.getByRole('list', { name: new RegExp(`^Remaining path ${at + 1}, from `) }).waitFor();
    await expect.poll(() => row.locator('.zone-mark').textContent()).toBe('T0');
    await expect.poll(() => row.locator('.path-node').count()).toBe(nodes.length);
    await expect.poll(() => row.locator('.snip').count()).toBe(closed_by === null ? 0 : 1);
    const text = await row.innerText();
    for (const { title } of closed_by?.repairs ?? []) expect(text).toContain(title);
    if (not_closed !== null) expect(text).toContain(not_closed.text);
    await expect
      .poll(() => row.getByRole('button', { name: 'Add to What if' }).count())
      .toBe(closed_by === null ? 0 : 1);
  }
  // The rules of all steps are those that the service has for them.
  const steps = paths.flatMap(({ nodes, steps: all }) =>
    all.map(({ kind }, at) => ({
      ...{ source_id: nodes[at]!.object_id, target_id: nodes[at + 1]!.object_id },
      kinds: [kind],
    })),
  );
  const distinct = [...new Map(steps.map((step) => [JSON.stringify(step), step])).values()];
  const { archive } = (await client.call('GetDetectionRules', { body: { steps: distinct } })).data;
  const [download] = await Promise.all([
    effect.page().waitForEvent('download'),
    effect.getByRole('button', { name: 'Download detection rules' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('remaining-paths.zip');
  // The service accepts 100 steps.
  await effect
    .page()
    .getByText(
      new RegExp(`detection rules? for ${distinct.length} steps? of ${paths.length} paths? that remain`),
    )
    .waitFor();
  expect((await readFile(await download.path())).toString('base64')).toBe(archive);
}
