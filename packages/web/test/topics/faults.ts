/**
 * The kinds of faults found by inspections of the web interface, by number, as tests of the running interface. Faults about
 * places and waits are in `places.ts`, 9 and 10 in `hidden.ts`, 12 in `charts.ts`, 20 in `setUp.ts`, 11 and 13 in `firstSteps.ts`, and
 * 15 in `pages.ts`.
 */

import { sampledCases } from '@clew/common/testing';
import { ADMIN_PASSWORD } from '@clew/service/testing';
import { expect, test } from 'vitest';
import { openPage, type RunningWeb, signIn, visit } from '../browser.ts';

async function idOf(running: () => RunningWeb, name: string): Promise<string> {
  const found = await running().client.search(name, { kind: 'Group' });
  const group = found.find((one) => one.name.startsWith(`${name}@`));
  return group!.objectid;
}

/** @param running to be called only inside tests */
export function testFaults(running: () => RunningWeb): void {
  test('faults 1 and 2: cards have an effect, and their order does not depend on the page size', async () => {
    const { client } = running();
    const cards = async (limit: number) => {
      const { data } = await client.call('GetPlan', { query: { limit } }, { wait: 60 });
      if (!('cards' in data)) throw new Error('the plan is still being computed');
      return data.cards;
    };
    const all = await cards(50);
    expect(all.length).toBeGreaterThan(1);
    for (const { exposed_before, exposed_after, closed_count } of all)
      expect((exposed_before ?? 0) > (exposed_after ?? 0) || (closed_count ?? 0) > 0).toBe(true);
    const keys = all.map(({ key }) => key);
    for (const limit of [1, 2, 3])
      expect((await cards(limit)).map(({ key }) => key)).toEqual(keys.slice(0, limit));
  });

  test('fault 4: the neighborhood has every kind, with its true count', async () => {
    const { open, settled, client } = running();
    const id = await idOf(running, 'DOMAIN USERS');
    const counts = await Promise.all(
      ['(n)<-[r]-(m)', '(n)-[r]->(m)'].map(async (pattern) => {
        const body = {
          query: `MATCH ${pattern} WHERE n.objectid = $id RETURN type(r), count(r)`,
          parameters: { id },
          rows: true,
        };
        return (await client.call('RunCypherQuery', { body })).data.rows!;
      }),
    );
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?object=${id}`);
    await settled(page);
    for (const [side, rows] of [
      ['Can act on it', counts[0]!],
      ['It can act on', counts[1]!],
    ] as const) {
      const region = page.getByRole('region', { name: side });
      await region.waitFor();
      const more = region.getByRole('button', { name: /more kinds$/ });
      if ((await more.count()) > 0) await more.click();
      const shown = await region
        .locator('article')
        .evaluateAll((cards) =>
          cards.map((card) => [
            card.getAttribute('data-near')?.split(' ').slice(1).join(' '),
            Number(card.querySelector('header > span')?.textContent?.replaceAll(',', '')),
          ]),
        );
      expect(new Map(shown as [string, number][])).toEqual(new Map(rows as [string, number][]));
    }
    // Requested rows are added to the existing ones.
    const members = page.locator('[data-near="in MemberOf"]');
    const before = await members.getByRole('listitem').count();
    await members.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await expect
      .poll(() => members.getByRole('listitem').count(), { timeout: 100_000 })
      .toBeGreaterThan(before);
    await members.getByRole('listitem').first().getByRole('button').click();
    await page.getByRole('complementary', { name: 'Selected object' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 7: adding to a drawing moves nothing, with the panel closed as well', async () => {
    const { open, settled } = running();
    const id = await idOf(running, 'DOMAIN ADMINS');
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?object=${id}&layout=free`);
    await settled(page);
    const drawing = page.getByRole('img', { name: /^Drawing of/ });
    await drawing.waitFor();
    const box = (await drawing.boundingBox())!;
    const named = async (x: number, y: number): Promise<string> => {
      await page.mouse.move(x, y);
      const card = page.locator('.hover-card strong');
      return (await card.count()) === 0 ? '' : ((await card.first().textContent()) ?? '');
    };
    // Places left of the center, which no panel will cover.
    const places = Array.from({ length: 8 }, (_, ring) =>
      [
        [0, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [-1, 1],
        [-1, -1],
      ].map(
        ([dx, dy]) =>
          [box.x + box.width / 2 + dx! * ring * 45, box.y + box.height / 2 + dy! * ring * 35] as const,
      ),
    ).flat();
    let opened: { readonly name: string; readonly place: readonly [number, number] } | undefined;
    // The drawing may be measured again when its font loads, so the search is retried.
    await expect
      .poll(
        async () => {
          for (const place of places) {
            const name = await named(...place);
            if (!/@/.test(name) || /[,→]/.test(name)) continue;
            await page.mouse.dblclick(...place);
            opened = { name, place };
            break;
          }
          return page.url();
        },
        { timeout: 100_000, interval: 1000 },
      )
      .toMatch(/with=/);
    await page.waitForLoadState('networkidle');
    await page.getByText('Adding relationships').waitFor({ state: 'detached' });
    await page.mouse.move(box.x + 5, box.y + 5);
    await expect.poll(() => named(...opened!.place), { timeout: 100_000 }).toBe(opened!.name);
    // A dragged node stays where it is dropped, and all others stay in place.
    const [fromX, fromY] = opened!.place;
    // A busy machine may repaint the drawing during the drag, so the drag is retried.
    await expect
      .poll(
        async () => {
          if ((await named(fromX, fromY)) === opened!.name) {
            await page.mouse.down();
            await page.mouse.move(fromX - 90, fromY + 150, { steps: 4 });
            await page.mouse.up();
          }
          return named(fromX - 90, fromY + 150);
        },
        { timeout: 100_000 },
      )
      .toBe(opened!.name);
    await page.getByText('Legend').click();
    await page.getByText('moved by you').waitFor();
    await page.getByRole('img', { name: /^Overview/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 8: alternatives have the marks of their objects', async () => {
    const { open, settled, client } = running();
    const to = await idOf(running, 'DOMAIN ADMINS');
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const { page, context, faults } = await open();
    for (const ways of sampledCases(['alternatives', 'disjoint', 'easiest'], 3)) {
      await visit(page, `/ui/explore?mode=path&from=${user!.objectid}&to=${to}&ways=${ways}&show=table`);
      await settled(page);
      const row = page.getByRole('region', { name: 'Objects' }).getByRole('row', { name: /DOMAIN ADMINS@/ });
      await row.first().waitFor();
      await expect.poll(() => row.first().textContent()).toContain('Tier Zero');
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the story of a path and its drawing select each other, and a step can be cut', async () => {
    const { open, settled, client } = running();
    const to = await idOf(running, 'DOMAIN ADMINS');
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?mode=path&from=${user!.objectid}&to=${to}`);
    await settled(page);
    const story = page.getByRole('region', { name: 'Story of the path' });
    const steps = story.getByRole('listitem');
    await steps.first().waitFor();
    await steps.first().getByRole('button').click();
    await page.getByRole('complementary', { name: 'Selected relationship' }).waitFor();
    await story.getByText(/If you cut step 1/).waitFor();
    await story.getByRole('button', { name: 'Add cut to What if' }).click();
    await story.getByRole('link', { name: 'In What if' }).waitFor();
    // Uses only the keyboard: arrow keys advance Play.
    await story.getByRole('button', { name: 'Play' }).click();
    await story.getByText(/^Step 1 of/).waitFor();
    // Paths avoid excluded relationships.
    const path = (await client.shortestPath(user!.objectid, to))!;
    const between = Object.values(path.nodes).find(
      ({ objectId }) => objectId !== user!.objectid && objectId !== to,
    )!;
    const objects = page.getByRole('region', { name: 'Objects' });
    await visit(page, `/ui/explore?mode=path&from=${user!.objectid}&to=${to}&show=table`);
    await objects.getByText(between.label, { exact: true }).first().waitFor();
    await visit(
      page,
      `/ui/explore?mode=path&from=${user!.objectid}&to=${to}&show=table&around=${between.objectId}`,
    );
    await page
      .getByRole('list', { name: 'Excluded from paths' })
      .getByText(between.label, { exact: true })
      .waitFor();
    await settled(page);
    expect(await objects.getByText(between.label, { exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 14: typed text is restored', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    const query = async () => {
      await page.goto('/ui/explore?mode=query');
      await page.getByRole('textbox', { name: 'Query in Cypher' }).click();
      await page.keyboard.type('MATCH (kept:User) RETURN kept');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Findings' }).first().click();
      await page.getByRole('table').waitFor();
      await page.goto('/ui/explore?mode=query');
      await page.getByText('MATCH (kept:User)').waitFor();
    };
    const reason = async () => {
      await visit(page, '/ui/findings');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Accept risk…' }).click();
      await page.getByLabel('Reason').fill('Half a sentence');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.reload();
      await settled(page);
      await page.getByRole('button', { name: 'Accept risk…' }).click();
      await expect
        .poll(() => page.getByLabel('Reason').inputValue(), { timeout: 100_000 })
        .toBe('Half a sentence');
    };
    // A run types into one of both.
    for (const type of sampledCases([reason, query], 2)) await type();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 16: an action shows its result, with an undo', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/fix');
    await settled(page);
    const card = page.locator('article.repair').first();
    await card.getByRole('button', { name: 'Add to What if' }).click();
    await page.getByRole('status', { name: 'Notices' }).getByText('Added to What if (1)').waitFor();
    await page.getByRole('link', { name: /^What if.*1 selected/ }).waitFor();
    await page.reload();
    await card.getByRole('link', { name: 'In What if' }).waitFor();
    await visit(page, '/ui/explore?mode=path');
    await settled(page);
    await visit(page, '/ui/fix');
    await card.getByRole('link', { name: 'In What if' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 17: the palette names each page once, and says when it finds nothing', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/fix');
    await settled(page);
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.waitFor();
    await page.keyboard.type('data');
    await dialog.getByRole('option', { name: 'Data coverage' }).waitFor();
    const options = await dialog.getByRole('option').allTextContents();
    expect(new Set(options).size).toBe(options.length);
    await dialog.getByRole('combobox').fill('nothing is called so');
    await dialog.getByText('No page or object has this name or id').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 18: rows of causes can be distinguished', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/findings?view=cause');
    await settled(page);
    const rows = await page.locator('tbody tr').allTextContents();
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows).size).toBe(rows.length);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 19: exposure is one number with one base, on every page that shows it', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    const shown: string[] = [];
    for (const path of ['/ui/fix', '/ui/posture']) {
      await visit(page, path);
      await settled(page);
      const hero = page.getByRole('region', { name: 'Exposure', exact: true });
      const base = hero.locator('strong').filter({ hasText: / of / });
      await base.first().waitFor();
      const number = (await hero.locator('.one-number').textContent())!.split(' ')[0];
      shown.push(`${number} ${await base.first().textContent()}`);
      // Numerator, denominator and the counted objects are shown on hover.
      await expect
        .poll(() => hero.locator('.one-number').getAttribute('title'))
        .toMatch(/ of .* users and computers/);
    }
    expect(new Set(shown).size).toBe(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('findings are narrowed by chips, which the address holds', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/findings');
    await settled(page);
    const bar = page.getByRole('combobox', { name: 'Filter findings' });
    await bar.fill('severity:critical');
    await page.getByRole('option', { name: 'Severity: Critical' }).click();
    await page.waitForURL(/severity=critical/);
    await bar.fill('domain');
    await page.getByRole('option', { name: 'Principal contains "domain"' }).click();
    await page.waitForURL(/principal=domain/);
    const { count } = await client.call('ListAttackPathFindings', {
      query: { severity: 'eq:critical', source_principal_name: '~eq:domain', limit: 1 },
    });
    await page.getByRole('heading', { name: `${count} open finding${count === 1 ? '' : 's'}` }).waitFor();
    await page.getByRole('button', { name: /^Remove filter Principal/ }).click();
    await page.waitForURL((address) => !address.searchParams.has('principal'));
    // On the keyboard, Backspace removes the last chip first.
    await bar.press('Backspace');
    await page.waitForURL((address) => !address.searchParams.has('severity'));
    // A view is saved with its filters, and a hidden column stays hidden after a reload.
    await visit(page, '/ui/findings?severity=critical');
    await page.getByRole('table').waitFor();
    await page.locator('summary', { hasText: 'Views' }).click();
    await page.getByRole('button', { name: 'Save this view…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Worst first');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('Zone', { exact: true }).uncheck();
    await page.getByRole('columnheader', { name: 'Zone' }).waitFor({ state: 'detached' });
    await page.goto('/ui/findings');
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Zone' }).count()).toBe(0);
    await page.locator('summary', { hasText: 'Views' }).click();
    await page.getByRole('link', { name: 'Worst first' }).click();
    await page.waitForURL(/severity=critical/);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 22: no page shows names of parameters', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open();
    const environments = (await client.call('GetAvailableDomains')).data;
    const { id } = environments.find(({ collected }) => collected)!;
    for (const path of ['/ui/admin?view=settings', `/ui/data?about=${id}`]) {
      await visit(page, path);
      await settled(page);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).not.toMatch(/base_ttl|has_session_edge|\brrule\b|enterprisecas|ntauthstores|\bacls\b/);
    }
    await visit(page, '/ui/admin?view=settings');
    await page.getByLabel('Keep sessions').waitFor();
    for (const id of sampledCases(['none', '99999999999', '-1'], 3)) {
      await visit(page, `/ui/finding/${id}`);
      await page.getByText('Finding not found', { exact: true }).first().waitFor();
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** At length, for the nightly run: `deviceName.test.ts` has names of devices. @param running to be called only inside tests */
export function testFaultsAtLength(running: () => RunningWeb): void {
  test('fault 22: sessions have names of devices', async () => {
    const { url, browser } = running();
    const own = await openPage(browser, url);
    await own.page.goto('/ui/profile');
    await signIn(own.page, 'admin', ADMIN_PASSWORD);
    await own.page.getByRole('region', { name: 'Sessions' }).getByText('Chrome on Linux').first().waitFor();
    await own.context.close();
    expect(own.faults).toEqual([]);
  });
}
