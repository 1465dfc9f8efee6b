/**
 * The kinds of faults found by inspections of the web interface, by number, as tests of the running interface. Faults about
 * places and waits are in `places.ts`, 12 in `charts.ts`, 20 in `setUp.ts`, 11 and 13 in `firstSteps.ts`, and 15 in `pages.ts`.
 */

import { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import { reachSentence } from '@clew/model';
import { ADMIN_PASSWORD } from '@clew/service/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, type RunningWeb, signIn, visit } from '../browser.ts';
import { textOf } from './points.ts';

/** @param running to be called only inside tests */
export function testFaults(running: () => RunningWeb): void {
  const idOf = async (name: string): Promise<string> => {
    const found = await running().client.search(name, { kind: 'Group' });
    const group = found.find((one) => one.name.startsWith(`${name}@`));
    return group!.objectid;
  };

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
    const id = await idOf('DOMAIN USERS');
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
    const id = await idOf('DOMAIN ADMINS');
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
    const to = await idOf('DOMAIN ADMINS');
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const { page, context, faults } = await open();
    for (const ways of ['alternatives', 'disjoint', 'easiest']) {
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
    const to = await idOf('DOMAIN ADMINS');
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

  test('fault 9: masked names leak nowhere', async () => {
    const { open, settled, client } = running();
    const id = await idOf('DOMAIN ADMINS');
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const findings = await client.call('ListAttackPathFindings', {
      query: { limit: 1, severity: 'eq:critical', finding: undefined },
    });
    const environments = (await client.call('GetAvailableDomains')).data;
    // Texts that must not be visible: domains, and names that exist only in this directory.
    const real = new RegExp(
      [...environments.map(({ name }) => name.replaceAll('.', '\\.')), 'ada\\.abel', '\\bABEL\\b'].join('|'),
      'i',
    );
    // The owner chooses the name of a drawing; only the drawing names its missing objects.
    const drawn = (object_id: string, name: string, x: number) => ({
      ...{ object_id, name, kind: 'User', x, y: 0, pinned: false },
    });
    const kept = await client.call('CreateDrawing', {
      body: {
        ...{ name: 'Paths of Ada Abel', description: 'ADA.ABEL to the admins', address: '' },
        objects: [
          drawn(user!.objectid, user!.name, 0),
          drawn(id, 'DOMAIN ADMINS', 300),
          drawn('S-1-5-21-7-7-7-1', `FORMER ABEL@${environments[0]!.name}`, 600),
        ],
        relationships: [{ source: 2, kind: 'MemberOf', target: 1 }],
      },
    });
    const drawing = `/ui/explore?drawing=${kept.data.id}`;
    const { page, context, faults } = await open();
    await page.goto('/ui/fix');
    await settled(page);
    await page.keyboard.press('m');
    await page.getByText('Names are masked.').waitFor();
    // The id of this group contains the name of its domain: the address contains a key instead, which also works in other
    // sessions.
    const [group] = await client.search('AUTHENTICATED USERS', { kind: 'Group' });
    const everyone = group!.objectid;
    expect(everyone).toMatch(real);
    await visit(page, `/ui/explore?${new URLSearchParams({ object: everyone, selected: everyone })}`);
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/object=S-1-5-21-[\d-]+~S-1-5-11&/);
    const link = page.url();
    const other = await open({ isAlone: true });
    await other.page.goto(link);
    await other.page.getByText('AUTHENTICATED USERS').first().waitFor();
    await other.context.close();
    const leaks: string[] = [];
    // A run examines every second page.
    const paths = [
      '/ui/fix',
      '/ui/findings',
      '/ui/findings?view=cause',
      '/ui/findings?view=object',
      `/ui/finding/${findings.data[0]!.id}`,
      `/ui/explore?object=${id}&selected=${id}`,
      `/ui/explore?mode=path&from=${user!.objectid}&to=${id}`,
      `/ui/explore?mode=path&from=${user!.objectid}&to=${id}&show=table`,
      '/ui/explore?mode=query&q=MATCH%20(u%3AUser)%20RETURN%20u.name%2C%20u%20LIMIT%205&show=table',
      '/ui/explore',
      `/ui/explore?${new URLSearchParams({ object: everyone, selected: everyone })}`,
      drawing,
      `${drawing}&show=table`,
      `${drawing}&selected=${user!.objectid}`,
      '/ui/posture',
      '/ui/posture?view=trend',
      '/ui/posture?view=choke',
      '/ui/what-if',
      '/ui/data',
      '/ui/data?view=uploads',
      '/ui/admin?view=zones',
      '/ui/reports?for=operations',
    ];
    for (const path of sampledCases(paths, 2)) {
      await visit(page, path);
      await settled(page);
      await page.waitForLoadState('networkidle');
      const seen = await page.evaluate(() => {
        const texts: string[] = [document.title];
        const walk = (node: Node): void => {
          if (node instanceof Text) texts.push(node.data);
          if (node instanceof Element) {
            for (const { value } of node.attributes) {
              texts.push(value);
              // Links are percent-encoded.
              if (value.includes('%')) texts.push(...new URLSearchParams(value.split('?')[1]).values());
            }
            if (node instanceof HTMLInputElement) texts.push(node.value);
          }
          for (const child of node.childNodes) walk(child);
        };
        walk(document.documentElement);
        texts.push(location.pathname, ...new URLSearchParams(location.search).values());
        texts.push(JSON.stringify(history.state));
        return texts.filter((text) => text.trim() !== '');
      });
      // The user typed the text of the query.
      for (const text of seen) if (real.test(text)) leaks.push(`${path}: ${text.slice(0, 120)}`);
    }
    expect(leaks).toEqual([]);
    // A file of the page contains no names either; they stay masked after a reload.
    await page.goto(`/ui/explore?mode=path&from=${user!.objectid}&to=${id}`);
    await settled(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByLabel('Export').selectOption('csv'),
    ]);
    expect(await textOf(file)).not.toMatch(real);
    await visit(page, '/ui/fix');
    await settled(page);
    const [plan] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON', exact: true }).click(),
    ]);
    const saved = await textOf(plan);
    expect(saved).not.toMatch(real);
    expect(JSON.parse(saved)).toHaveProperty('cards');
    await visit(page, '/ui/reports?for=operations');
    await settled(page);
    await page
      .getByText(/can reach Tier Zero/)
      .first()
      .waitFor();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download HTML' }).click(),
    ]);
    const html = await textOf(report);
    expect(html).not.toMatch(real);
    // One file: no scripts and no external resources.
    expect(html).not.toMatch(/<script|https?:|href=|src=/);
    expect(html).toMatch(/can reach Tier Zero/);
    await page.getByRole('button', { name: 'Show names' }).click();
    await page.getByText('Names are masked.').waitFor({ state: 'detached' });
    await visit(page, drawing);
    await page.getByRole('heading', { name: 'Paths of Ada Abel' }).waitFor();
    await client.call('DeleteDrawing', { params: { drawing_id: kept.data.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 10: a user of one environment meets no refusal, and sees no other in a shared drawing', async () => {
    const { browser, url, client, settled } = running();
    const roles = (await client.call('ListRoles')).data.roles;
    const role = roles.find(({ name }) => name === 'Read-Only')!;
    const query = "MATCH (g:Group) WHERE g.name STARTS WITH 'DOMAIN USERS@' RETURN g.objectid, g.name";
    const { rows = [] } = (await client.call('RunCypherQuery', { body: { query, rows: true } })).data;
    const groups = rows.map(([objectid, name]) => ({ objectid: String(objectid), name: String(name) }));
    const environment = (await client.call('GetAvailableDomains')).data.find(
      ({ id, collected }) => collected && groups.some(({ objectid }) => objectid.startsWith(id)),
    );
    await client.call('CreateUser', {
      body: {
        principal: 'limited',
        secret: 'one environment horse staple',
        roles: [role.id],
        all_environments: false,
        environment_targeted_access_control: { environments: [{ environment_id: environment!.id }] },
      },
    });
    const { page, context, faults } = await openPage(browser, url);
    await page.goto('/');
    await signIn(page, 'limited', 'one environment horse staple');
    await page.locator('summary', { hasText: 'limited' }).waitFor();
    for (const path of [
      '/ui/fix',
      '/ui/findings',
      '/ui/posture',
      '/ui/posture?view=choke',
      '/ui/posture?view=trend',
      '/ui/changes',
      '/ui/what-if',
      '/ui/explore',
      '/ui/data',
    ]) {
      if (path !== '/ui/fix') await visit(page, path);
      await settled(page);
      expect([path, await page.getByText(/can't do this|no permission/i).count()]).toEqual([path, 0]);
      if (path === '/ui/fix' || path === '/ui/posture?view=choke')
        await expectWhatIsNotShown(page, {
          url,
          principal: 'limited',
          secret: 'one environment horse staple',
        });
    }
    const isInside = ({ objectid }: { readonly objectid: string }) => objectid.startsWith(environment!.id);
    const [own, foreign] = [groups.find(isInside)!, groups.find((group) => !isInside(group))!];
    const drawing = await client.call('CreateDrawing', {
      body: {
        ...{ name: 'Over a trust', shared: true, address: `object=${foreign.objectid}` },
        objects: [own, foreign].map(({ objectid, name }, at) => ({
          ...{ object_id: objectid, name, kind: 'Group', x: at * 300, y: 0, pinned: false },
        })),
        relationships: [{ source: 0, kind: 'MemberOf', target: 1 }],
      },
    });
    // The answer is read in transit, because browsers do not keep it long.
    let answer = '';
    await page.route(/\/drawings\/\d+$/, async (route) => {
      const response = await route.fetch();
      answer = await response.text();
      await route.fulfill({ response });
    });
    await visit(page, `/ui/explore?drawing=${drawing.data.id}&show=table`);
    await page.getByRole('region', { name: 'Saved drawing' }).getByText('Not shown: 1 object').waitFor();
    await page.getByRole('region', { name: 'Objects' }).getByText(own.name, { exact: true }).waitFor();
    expect(answer).toContain(own.objectid);
    const seen = `${answer} ${await page.content()}`;
    for (const text of [foreign.objectid, foreign.name]) expect(seen).not.toContain(text);
    expect(await page.getByRole('link', { name: 'Ask again' }).count()).toBe(0);
    await client.call('DeleteDrawing', { params: { drawing_id: drawing.data.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 14: typed text is restored', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/explore?mode=query');
    await page.getByRole('textbox', { name: 'Query in Cypher' }).click();
    await page.keyboard.type('MATCH (kept:User) RETURN kept');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Findings' }).first().click();
    await page.getByRole('table').waitFor();
    await page.goto('/ui/explore?mode=query');
    await page.getByText('MATCH (kept:User)').waitFor();
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
    for (const id of ['none', '99999999999', '-1']) {
      await visit(page, `/ui/finding/${id}`);
      await page.getByText('Finding not found', { exact: true }).first().waitFor();
    }
    const { url, browser } = running();
    const own = await openPage(browser, url);
    await own.page.goto('/ui/profile');
    await signIn(own.page, 'admin', ADMIN_PASSWORD);
    await own.page.getByRole('region', { name: 'Sessions' }).getByText('Chrome on Linux').first().waitFor();
    await own.context.close();
    expect(faults).toEqual([]);
    await context.close();
  });
}

/**
 * Figures of an environment whose forest a user does not see as a whole are left out. The plan, its rail, and the choke points name the
 * environment and the reason instead, and never show 0.
 */
async function expectWhatIsNotShown(
  page: Page,
  { url, principal, secret }: { readonly url: string; readonly principal: string; readonly secret: string },
): Promise<void> {
  const client = new ClewClient({ url });
  await client.login(principal, secret);
  const plan = await client.plan({ limit: 50 });
  const points = (await client.call('GetChokePoints', { query: { asset_group_tag_id: 1, limit: 50 } })).data;
  const namesOf = (all: typeof plan.not_shown) => all.map(({ environment_name }) => environment_name);
  expect(plan.before).toEqual([]);
  expect(plan.not_shown.length).toBeGreaterThan(0);
  expect(namesOf(points.not_shown)).toEqual(namesOf(plan.not_shown));
  if (page.url().includes('view=choke')) {
    const lead = page.locator('main p.lead');
    expect(await lead.textContent()).toContain(
      reachSentence(points.exposed_count, namesOf(points.not_shown)),
    );
    expect(await page.getByText('No user or computer can reach the zone').count()).toBe(0);
    return;
  }
  // The cards without figures are shown, and the page has no exposure in large numbers.
  expect(plan.cards.length).toBeGreaterThan(0);
  await expect.poll(() => page.locator('article.repair').count()).toBe(Math.min(5, plan.cards.length));
  expect(await page.getByRole('region', { name: 'Exposure', exact: true }).count()).toBe(0);
  const rows = page.getByRole('region', { name: 'Exposure by environment' }).getByRole('listitem');
  expect(await rows.allTextContents()).toEqual(
    plan.not_shown.map(({ environment_name, reason }) => `${environment_name}${reason}`),
  );
  const rail = await page.getByRole('complementary', { name: 'Plan' }).innerText();
  expect(rail).toContain(plan.end.text);
}
