/** The web interface in a real browser, against a real service with real data. Tests of one topic are in `testing/`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { zipFiles } from '@clew/service';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityFaults,
  CHROMIUM,
  cutButtons,
  openPage,
  signIn,
  startBrowser,
  tallRows,
  visit,
  type Watched,
} from './testing/browser.ts';
import { HOSTILE_DOMAIN, HOSTILE_NAMES, hostileDrawing, hostileForest } from './testing/hostileForest.ts';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from './testing/serveProcess.ts';
import { testDialogs } from './testing/webDialogs.ts';
import { testDrawing } from './testing/webDrawing.ts';
import { testExplore } from './testing/webExplore.ts';
import { testFaults } from './testing/webFaults.ts';
import { testInbox } from './testing/webInbox.ts';
import { comesToRepair } from './testing/webNewcomer.ts';
import { testPlaces } from './testing/webPlaces.ts';
import { testPlans } from './testing/webPlans.ts';
import { testPoints } from './testing/webPoints.ts';
import { testReports } from './testing/webReports.ts';
import { testSetUp } from './testing/webSetUp.ts';
import { testSignIn } from './testing/webSignIn.ts';
import { testViews } from './testing/webViews.ts';

if (CHROMIUM === undefined)
  process.stderr.write('Chromium not found: tests of the web interface are skipped.\n');

const PAGES = [
  '/ui/fix',
  '/ui/findings',
  '/ui/findings?view=cause',
  '/ui/findings?view=type',
  '/ui/explore',
  '/ui/explore?mode=path',
  '/ui/explore?mode=query&q=MATCH%20(u%3AUser)%20RETURN%20u.name%20LIMIT%205',
  '/ui/posture',
  '/ui/posture?view=trend',
  '/ui/changes',
  '/ui/posture?view=choke',
  '/ui/posture?view=compare',
  '/ui/what-if',
  '/ui/what-if?view=plans',
  '/ui/data',
  '/ui/data?view=uploads',
  '/ui/data?view=collectors',
  '/ui/data?view=clearing',
  '/ui/checks',
  '/ui/checks?check=Check_TierZeroUsers',
  '/ui/extensions?extension=1',
  '/ui/reports',
  '/ui/reports?for=operations',
  '/ui/admin',
  '/ui/admin?view=roles',
  '/ui/admin?view=zones',
  '/ui/admin?view=tokens',
  '/ui/admin?view=webhooks',
  '/ui/admin?view=certification',
  '/ui/admin?view=sso',
  '/ui/admin?view=settings',
  '/ui/admin?view=audit',
  '/ui/profile',
];

describe.skipIf(CHROMIUM === undefined)('the web interface', { timeout: 120_000 }, () => {
  let directory: string;
  let served: ServeProcess;
  let browser: Browser;
  let client: ClewClient;
  let token: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-web-'));
    served = await startServe(join(directory, 'data'));
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** A page of a person who has signed in already. */
  const openSignedIn = async (
    options: Parameters<typeof openPage>[2] = {},
    session = token,
  ): Promise<Watched> => {
    const watched = await openPage(browser, served.url, options);
    await watched.context.addInitScript((kept) => {
      if (sessionStorage.getItem('seeded') === null) localStorage.setItem('clew.session', kept);
      sessionStorage.setItem('seeded', 'yes');
    }, session);
    return watched;
  };

  const settled = async (page: Page): Promise<void> => {
    await page.locator('main h1').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.waiting, .renewing') === null);
  };

  test('fault 11, must hold: a newcomer comes from the first start, of which nothing is known, to the first repair and its path with two presses, by keyboard alone, in 15 s', async () => {
    const { page, context, faults } = await openPage(browser, served.url, { expected: [401] });
    await page.goto('/');
    await signIn(page, 'admin', 'wrong');
    await page.getByRole('alert').getByText('The name or the password is not right').waitFor();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.getByRole('heading', { name: 'Welcome to Clew' }).waitFor();
    // Fault 11: of nothing, nothing is known.
    await page.goto('/ui/posture');
    await page
      .getByText(/not known/i)
      .first()
      .waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/100 of 100|15 of 15/);
    await page.goto('/ui/fix');
    await page.getByRole('heading', { name: 'Welcome to Clew' }).waitFor();
    await comesToRepair(browser, served.url);
    await page.goto('/ui/fix');
    await page
      .getByText(/become/)
      .first()
      .waitFor({ state: 'attached' });
    await page
      .getByRole('list', { name: /Attack path from .* cut at step/ })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /^Findings/ })
      .first()
      .click();
    await page.getByRole('table').waitFor();
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Attack path' }).waitFor();
    await page.getByRole('list', { name: /Attack path of this finding/ }).waitFor();
    expect(page.url()).toContain('/ui/finding/');
    token = (await page.evaluate(() => localStorage.getItem('clew.session')))!;
    client = new ClewClient({ url: served.url, credentials: { session: token } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('tries a repair and keeps it as a plan', async () => {
    const { page, context, faults } = await openSignedIn();
    await page.goto('/ui/fix');
    await page.getByRole('button', { name: 'Add to What if' }).first().click();
    await page
      .getByRole('link', { name: /^What if/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Effect', exact: true }).waitFor();
    await page.getByText(/finding.* closed,/).waitFor();
    await page.getByRole('button', { name: 'Save as a plan…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The first step');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Saved plans' }).click();
    await page.getByRole('button', { name: 'The first step' }).click();
    await page.getByText(/0 of \d+ steps? done/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('accepts a finding with a reason, and shows it', async () => {
    const { page, context, faults } = await openSignedIn();
    await page.goto('/ui/findings');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Accept risk…' }).click();
    await page.getByLabel('Reason').fill('The host goes away in spring');
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('The host goes away in spring').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Accept risk…' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('writes a custom check with its present results, switches it off, and saves it as a file', async () => {
    const { page, context, faults } = await openSignedIn({ expected: [400] });
    await page.goto('/ui/checks');
    await page.getByRole('button', { name: /^New check/ }).click();
    const editor = page.getByRole('textbox', { name: 'Query of the check in Cypher' });
    await editor.click();
    await page.keyboard.type('MATCH (u:User) RETURN nothing');
    await page.keyboard.press('Escape');
    // The result updates automatically a moment after the last letter; errors are shown at their places.
    const result = page.getByRole('region', { name: /^Result/ });
    await result.getByRole('alert').waitFor();
    const save = page.getByRole('button', { name: /^Save/ });
    expect(await save.isDisabled()).toBe(true);
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('MATCH (u:User:Tag_Tier_Zero) RETURN u, u.enabled AS enabled');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Enter');
    await result.getByRole('columnheader', { name: 'enabled' }).waitFor();
    const found = await result.getByRole('status').textContent();
    await page.getByLabel('Title').fill('Tier Zero users');
    await page.getByLabel('Name', { exact: true }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Check_TierZeroUsers');
    await save.click();
    await page.getByText('Tier Zero users is saved').waitFor();
    const stored = await client.call('GetCheck', { params: { check_name: 'Check_TierZeroUsers' } });
    const { data: tried } = await client.call('TestCheck', { body: stored.data.definition });
    expect(found).toMatch(new RegExp(`^${tried.found_count} objects? in `));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const path = join(directory, file.suggestedFilename());
    await file.saveAs(path);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete check' }).click();
    await page.getByText('No custom checks').waitFor();
    const broken = join(directory, 'no-check.json');
    await writeFile(broken, '{"name":"Check_Broken","severity":"none"}');
    await page.getByLabel('Files with checks').setInputFiles([path, broken]);
    const refused = page.getByRole('dialog', { name: 'Not imported' });
    await refused.getByText(/no-check\.json: .*severity/).waitFor();
    await refused.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Run Tier Zero users').click();
    await page.getByText('Tier Zero users is off').waitFor();
    const after = await client.call('GetCheck', { params: { check_name: 'Check_TierZeroUsers' } });
    expect(after.data.enabled).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('installs an extension after showing what it adds, and removes it', async () => {
    const { page, context, faults } = await openSignedIn({ expected: [400] });
    const definition = join(directory, 'tickets.json');
    const document = {
      schema: { name: 'Tickets', display_name: 'Ticket system', version: 'v1.0.0', namespace: 'Tick' },
      node_kinds: [{ name: 'Tick_User', display_name: 'User of tickets' }],
      relationship_kinds: [{ name: 'Tick_Manages', is_traversable: true, description: 'Manages it' }],
    };
    await page.goto('/ui/extensions');
    const input = page.getByLabel('Definition or bundle of an extension');
    const dialog = page.getByRole('dialog');
    await writeFile(definition, JSON.stringify({ ...document, node_kinds: [{ name: 'User' }] }));
    await input.setInputFiles(definition);
    await dialog
      .getByText(/\/node_kinds\/0/)
      .first()
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Install' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const bundle = join(directory, 'tickets.zip');
    const files = {
      'schema.json': document,
      'saved_searches/users.json': { name: 'Users of tickets', query: 'MATCH (n:Tick_User) RETURN n' },
      'privilege_zone_rules/rule.json': {
        ...{ name: 'Largest groups', zone: 'Tier Zero' },
        cypher: "MATCH (g:Group) WHERE g.name STARTS WITH 'DOMAIN USERS@' RETURN g",
      },
    };
    const entries = Object.entries(files).map(([name, json]) => ({
      name,
      bytes: Buffer.from(JSON.stringify(json)),
    }));
    await writeFile(bundle, await zipFiles(entries));
    await input.setInputFiles(bundle);
    await dialog.getByText('Saved queries: 1 new (Users of tickets)').waitFor({ timeout: 100_000 });
    // The effect on the forest of the test.
    await dialog.getByText(/Tier Zero: [\d,]+ to [\d,]+ members; [\d,]+ new:/).waitFor();
    await dialog.locator('.meters').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await client.call('ListExtensions')).data.extensions).toHaveLength(2);
    await writeFile(definition, JSON.stringify(document));
    await input.setInputFiles(definition);
    await dialog.getByText('Paths, zones and findings stay as they are.').waitFor({ timeout: 100_000 });
    await dialog.getByText('Kinds of relationships: 1 new (Tick_Manages)').waitFor();
    await dialog.getByRole('button', { name: 'Install' }).click();
    const card = page.getByRole('region', { name: /^Ticket system/ });
    await card.getByText('upload a collection').waitFor();
    await card.getByRole('button', { name: 'Show kinds' }).click();
    await card.getByText('Tick_Manages').waitFor();
    await page
      .getByRole('region', { name: 'Data by source' })
      .getByText('Active Directory data')
      .first()
      .waitFor();
    await card.getByRole('button', { name: 'Remove…' }).click();
    await dialog.getByRole('button', { name: 'Remove extension' }).click();
    await card.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a failing or slow network is reported, and requests are retried', async () => {
    const { page, context, faults } = await openSignedIn({ expected: [0] });
    await page.route('**/api/v2/attack-paths/findings?**', (route) => route.abort());
    await page.goto('/ui/findings');
    await page.getByText('Could not load the findings').waitFor({ timeout: 100_000 });
    await page.unroute('**/api/v2/attack-paths/findings?**');
    await page.route('**/api/v2/attack-paths/findings?**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table').waitFor({ timeout: 100_000 });
    expect(faults).toEqual([]);
    await context.close();
  });

  const running = () => ({ url: served.url, browser, client, open: openSignedIn, settled });
  testExplore(running);
  testDrawing(running);
  testSetUp(running);
  testSignIn(running);
  testFaults(running);
  testPoints(running);
  testPlaces(running);
  testPlans(running);
  testReports(running);
  testViews(running);
  testInbox(running);
  testDialogs(running);

  // In parts, so that each has its time also on a busy machine.
  test.each([0, 1, 2])(
    'fault 15: every page is accessible, in both themes (%i of 3)',
    async (part) => {
      const { page, context, faults } = await openSignedIn();
      const found: string[] = [];
      const [finding] = (await client.call('ListAttackPathFindings', { query: { limit: 1 } })).data;
      const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
      const [user] = await client.search('ada.abel', { kind: 'User' });
      const [card] = (await client.plan({ limit: 1 })).cards;
      const objects = [
        // Fault 15: the page of a finding was not looked at.
        `/ui/finding/${finding.id}`,
        `/ui/fix/${encodeURIComponent(card.key)}`,
        `/ui/explore?object=${admins.objectid}&selected=${admins.objectid}`,
        `/ui/explore?mode=path&from=${user.objectid}&to=${admins.objectid}`,
      ];
      for (const [at, path] of [...PAGES, ...objects].entries()) {
        if (at % 3 !== part) continue;
        await page.emulateMedia({ colorScheme: 'light' });
        await visit(page, path);
        await settled(page);
        for (const fault of await accessibilityFaults(page)) found.push(`${path}: ${fault}`);
        for (const row of await tallRows(page)) found.push(`${path}: a row of several lines, ${row}`);
        for (const words of await cutButtons(page)) found.push(`${path}: a button out of reach, ${words}`);
        // Only colors differ.
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const fault of await accessibilityFaults(page, { rules: ['color-contrast'] }))
          found.push(`${path}, dark: ${fault}`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
    300_000,
  );

  test('is found and used by keyboard alone', async () => {
    const { page, context, faults } = await openSignedIn();
    await page.goto('/ui/fix');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type('ada.abel');
    await page.locator('li[role=option]').filter({ hasText: 'ADA.ABEL' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/object=|view=/);
    await page.keyboard.press('Alt+5');
    await page.getByRole('heading', { name: 'Posture' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    // The way through the page begins at its top.
    await page.reload();
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('follows addresses of the public product', async () => {
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const { page, context, faults } = await openSignedIn();
    await page.goto(`/ui/explore?exploreSearchTab=node&primarySearch=${admins.objectid}`);
    await page.waitForURL(/object=/);
    await page.goto(
      `/ui/explore?exploreSearchTab=cypher&cypherSearch=${Buffer.from(encodeURIComponent('MATCH (n:Domain) RETURN n')).toString('base64')}`,
    );
    await page.waitForURL(/mode=query/);
    await page.getByRole('img', { name: /Drawing of/ }).waitFor();
    await page.goto('/ui/administration/file-ingest');
    await page.getByRole('heading', { name: 'Data', exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows hostile names as text, on every page, without breaking it', async () => {
    const files = Object.entries(hostileForest()).map(
      ([name, content]) => new File([JSON.stringify(content)], name),
    );
    const { jobId } = await client.uploadFiles(files);
    await client.waitForJob(jobId);
    await expect
      .poll(async () => (await client.search(`${HOSTILE_DOMAIN}-512`)).length, { timeout: 100_000 })
      .toBe(1);
    // A drawing as large as one can be, with these names at the ends of all that can be drawn.
    const { data: drawing } = await client.call('CreateDrawing', { body: hostileDrawing() });
    const { page, context, faults } = await openSignedIn({
      viewport: { width: 390, height: 800 },
      expected: [400, 404],
    });
    const objects = HOSTILE_NAMES.map(
      (_, at) =>
        `/ui/explore?object=${HOSTILE_DOMAIN}-${1100 + at}&selected=${HOSTILE_DOMAIN}-${1100 + at}&show=table`,
    );
    const query = encodeURIComponent(
      'MATCH (u:User) WHERE u.objectid STARTS WITH "S-1-5-21-66" RETURN u.name, u',
    );
    for (const path of [
      ...PAGES,
      ...objects,
      `/ui/explore?mode=query&q=${query}`,
      `/ui/findings?env=${HOSTILE_DOMAIN}`,
      `/ui/explore?drawing=${drawing.id}`,
      `/ui/explore?drawing=${drawing.id}&show=table`,
      `/ui/explore?drawing=${'9'.repeat(15)}`,
    ]) {
      await visit(page, path);
      await settled(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width <= 390]).toEqual([path, true]);
    }
    expect(
      await page.evaluate(() => document.querySelectorAll('main script, main img[src="x"]').length),
    ).toBe(0);
    await client.call('DeleteDrawing', { params: { drawing_id: drawing.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('keeps the memory of a tab bounded over many pages', async () => {
    const { page, context, faults } = await openSignedIn();
    await page.goto('/ui/fix');
    await settled(page);
    const session = await context.newCDPSession(page);
    const heap = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const walk = async (steps: number) => {
      await page.evaluate(async (count) => {
        for (let step = 0; step < count; step++) {
          const links = document.querySelectorAll<HTMLAnchorElement>('nav.side-bar a.page-link');
          links[step % links.length].click();
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
      }, steps);
      await settled(page);
    };
    await walk(100);
    const before = await heap();
    await walk(200);
    expect((await heap()) - before).toBeLessThan(10e6);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 13: survives a restart of the service in mid-work', async () => {
    const { page, context, faults } = await openSignedIn({ expected: [0, 502, 503] });
    await page.goto('/ui/findings');
    await page.getByRole('table').waitFor();
    const port = new URL(served.url).port;
    await served.stop();
    const bar = page.locator('.notices').getByText('Waiting for the service');
    await bar.waitFor({ timeout: 100_000 });
    // Fault 13: a page that was not loaded yet waits as well.
    await page.getByRole('link', { name: 'Administration' }).first().click();
    const away = page.locator('main').getByText('Waiting for the service');
    await away.waitFor();
    served = await startServe(join(directory, 'data'), { CLEW_PORT: port });
    await bar.waitFor({ state: 'detached', timeout: 100_000 });
    await away.waitFor({ state: 'detached', timeout: 100_000 });
    await page.getByRole('table').waitFor({ timeout: 100_000 });
    // React writes errors that its boundary caught on the console.
    expect(faults.filter((fault) => !/net::|dynamically imported module/.test(fault))).toEqual([]);
    await context.close();
  });
});
