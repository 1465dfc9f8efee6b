/** Tests every page in a real browser: accessibility, the keyboard, names that look like code, and memory. */
import { readFile } from 'node:fs/promises';
import { sampledCases } from '@clew/common/testing';
import { HOSTILE_DOMAIN, HOSTILE_NAMES, hostileDrawing, hostileForest } from '@clew/service/testing';
import { expect, test } from 'vitest';
import {
  accessibilityFaults,
  cutButtons,
  hasNewColors,
  PHONE,
  type RunningWeb,
  tallRows,
  visit,
} from '../browser.ts';

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
  '/ui/admin?view=installation',
  '/ui/admin?view=audit',
  '/ui/profile',
];

const PARTS = [1, 2, 3, 4, 5, 6];

/** @param running to be called only inside tests */
export function testPages(running: () => RunningWeb): void {
  /** Contrasts that axe has checked on earlier pages, in both themes. */
  const colors = new Set<string>();
  // A run examines one sixth of the pages: axe needs seconds per page.
  test.each(sampledCases(PARTS, PARTS.length))(
    'fault 15: every page is accessible, in both themes (part %i of 6)',
    async (part) => {
      const { open, settled, client } = running();
      const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
      const found: string[] = [];
      const [finding] = (await client.call('ListAttackPathFindings', { query: { limit: 1 } })).data;
      const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
      const [user] = await client.search('ada.abel', { kind: 'User' });
      const [card] = (await client.plan({ limit: 1 })).cards;
      const objects = [
        // Fault 15: the page of a finding was not checked.
        `/ui/finding/${finding.id}`,
        `/ui/fix/${encodeURIComponent(card.key)}`,
        `/ui/explore?object=${admins.objectid}&selected=${admins.objectid}`,
        `/ui/explore?mode=path&from=${user.objectid}&to=${admins.objectid}`,
      ];
      for (const [at, path] of [...PAGES, ...objects].entries()) {
        if (at % PARTS.length !== part - 1) continue;
        await page.emulateMedia({ colorScheme: 'light' });
        await visit(page, path);
        await settled(page);
        const checksContrast = await hasNewColors(page, colors);
        for (const fault of await accessibilityFaults(page, { checksContrast }))
          found.push(`${path}: ${fault}`);
        for (const row of await tallRows(page)) found.push(`${path}: a row of several lines, ${row}`);
        for (const words of await cutButtons(page)) found.push(`${path}: a button out of reach, ${words}`);
        // Colors equal those of the wide page, so the narrow layout is checked only for structure.
        const wide = page.viewportSize()!;
        await page.setViewportSize({ width: PHONE, height: wide.height });
        for (const fault of await accessibilityFaults(page, { checksContrast: false }))
          found.push(`${path}, ${PHONE} px: ${fault}`);
        await page.setViewportSize(wide);
        // Only colors differ.
        await page.emulateMedia({ colorScheme: 'dark' });
        if (!(await hasNewColors(page, colors))) continue;
        for (const fault of await accessibilityFaults(page, { rules: ['color-contrast'] }))
          found.push(`${path}, dark: ${fault}`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
    300_000,
  );

  const widths = sampledCases([1440, PHONE], 2);
  test.each(widths)('the menus of a drawing are accessible, %i px wide, in both themes', async (width) => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const menu = page.getByRole('menu', { name: 'Actions' });
    const found: string[] = [];
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/ui/explore?mode=path&from=${user.objectid}&to=${admins.objectid}`);
    await settled(page);
    const canvas = page.locator('.graph-view canvas').first();
    await canvas.waitFor();
    const box = (await canvas.boundingBox())!;
    const missing = new Map([
      ['the ground', 'Select all'],
      ['an object', 'Paths from here'],
      ['a relationship', 'Cut in What if'],
    ]);
    // Searches the drawing until all three menus were opened, because the layout determines their places: from the middle, where the
    // path is.
    const rows = Array.from({ length: Math.floor((box.height - 8) / 14) }, (_, row) => 8 + 14 * row);
    rows.sort((one, other) => Math.abs(one - box.height / 2) - Math.abs(other - box.height / 2));
    for (const y of rows)
      for (let x = 8; x < box.width && missing.size > 0; x += 60) {
        await canvas.click({ button: 'right', position: { x, y }, force: true });
        await menu.waitFor();
        const items = await menu.getByRole('menuitem').allTextContents();
        const [what] = [...missing].find(([, item]) => items.includes(item)) ?? [];
        for (const colorScheme of what === undefined ? [] : (['light', 'dark'] as const)) {
          await page.emulateMedia({ colorScheme });
          for (const fault of await accessibilityFaults(page, { within: '.context' }))
            found.push(`${what}, ${width} px, ${colorScheme}: ${fault}`);
        }
        if (what !== undefined) missing.delete(what);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
      }
    expect([...missing.keys()]).toEqual([]);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('is found and used by keyboard alone', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
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
    // The tab order of the page begins at its top.
    await page.reload();
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('follows addresses of the public product', async () => {
    const { open, client } = running();
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?exploreSearchTab=node&primarySearch=${admins.objectid}`);
    await page.waitForURL(/object=/);
    await page.goto(
      `/ui/explore?exploreSearchTab=cypher&cypherSearch=${Buffer.from(encodeURIComponent('MATCH (n:Domain) RETURN n')).toString('base64')}`,
    );
    await page.waitForURL(/mode=query/);
    // Objects without relationships are shown as a table, and as a drawing on request.
    await page.getByRole('table', { name: 'Objects' }).waitFor();
    // The page lists nothing twice, and the file is complete.
    await expect.poll(() => page.getByRole('table').count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(head).toContain('Object,Type,Zone,Owned,Object id');
    expect(lines).toHaveLength((await page.getByRole('row').count()) - 1);
    await visit(page, `${new URL(page.url()).pathname}${new URL(page.url()).search}&show=graph`);
    await page.getByRole('img', { name: /Drawing of/ }).waitFor();
    await page.goto('/ui/administration/file-ingest');
    await page.getByRole('heading', { name: 'Data', exact: true }).waitFor();
    // The link of alerts, with a zone of the community's scripts.
    await page.goto('/ui/remediation?findingType=T0GenericAll&assetGroupTagId=1');
    await page.locator('.kicker', { hasText: 'All findings' }).waitFor();
    expect(new URL(page.url()).search).toBe('?type=T0GenericAll&zone=1');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows hostile names as text, on every page, without breaking it', async () => {
    const { open, settled, client } = running();
    const files = Object.entries(hostileForest()).map(
      ([name, content]) => new File([JSON.stringify(content)], name),
    );
    const { jobId } = await client.uploadFiles(files);
    await client.waitForJob(jobId);
    await expect
      .poll(async () => (await client.search(`${HOSTILE_DOMAIN}-512`)).length, { timeout: 100_000 })
      .toBe(1);
    // A drawing of maximum size, with these names at the ends of the drawable part.
    const { data: drawing } = await client.call('CreateDrawing', { body: hostileDrawing() });
    const { page, context, faults } = await open({
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
      ...sampledCases(PAGES, 6),
      ...sampledCases(objects, 6),
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
    const { open, settled } = running();
    const { page, context, faults } = await open({ isAlone: true });
    await page.goto('/ui/fix');
    await settled(page);
    const session = await page.context().newCDPSession(page);
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
    await walk(50);
    const before = await heap();
    await walk(100);
    expect((await heap()) - before).toBeLessThan(4e6);
    expect(faults).toEqual([]);
    await context.close();
  });
}
