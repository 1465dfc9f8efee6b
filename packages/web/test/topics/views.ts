/** Findings as work: their owners and saved views, in a real browser, by section of the design. */
import type { FindingPathsRecord } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { expect, test } from 'vitest';
import { accessibilityFaults, DIALOG, faultsOfState, type RunningWeb, visit } from '../browser.ts';

/** @param running to be called only inside tests */
export function testViews(running: () => RunningWeb): void {
  test('section 4.3, owner: selected findings are assigned, all that match too, and the view Mine has them', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/findings?severity=critical');
    await settled(page);
    const table = page.getByRole('table', { name: 'Findings' });
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('o');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Owner').selectOption({ label: 'admin (you)' });
    expect(await faultsOfState(page, DIALOG)).toEqual([]);
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('1 finding assigned to admin').waitFor();
    const owners = table.getByRole('cell', { name: 'admin', exact: true });
    await expect.poll(() => owners.count()).toBe(1);
    await page.getByRole('navigation', { name: 'Quick views' }).getByRole('link', { name: 'Mine' }).click();
    await page.waitForURL(/owner=me/);
    await page.getByRole('heading', { level: 1, name: '1 open finding' }).waitFor();
    await page.getByRole('button', { name: 'Remove filter Owner: me' }).waitFor();

    await table.getByRole('link').first().click();
    await page.getByText('Owner: admin').waitFor();
    await page.getByText('Assigned to admin by admin').waitFor();
    await page.keyboard.press('o');
    await dialog.getByLabel('Owner').selectOption({ label: 'No owner' });
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.locator('.owner', { hasText: 'No owner' }).waitFor();

    const { count } = await client.call('ListAttackPathFindings', {
      query: { severity: 'eq:high', limit: 1 },
    });
    await visit(page, '/ui/findings?severity=high');
    await settled(page);
    await table.getByRole('checkbox').first().check();
    const bulk = page.getByRole('toolbar', { name: 'Selected findings' });
    await bulk.getByRole('button', { name: /^Select all \d+ shown$/ }).click();
    // Groups of similar findings are not among the rows shown individually.
    const { data: high } = await client.call('ListAttackPathFindingGroups', {
      query: { by: 'similar', severity: 'eq:high' },
    });
    if (count > 50 || high.some((group) => group.count > 1))
      await bulk.getByRole('button', { name: `Select all ${count} matching` }).click();
    await bulk.getByRole('button', { name: 'Assign…' }).click();
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText(`${count} findings assigned to admin`).waitFor();
    const mine = await client.call('ListAttackPathFindings', { query: { owner: 'eq:me', limit: 1 } });
    expect(mine.count).toBe(count);
    await page.getByRole('combobox', { name: 'Filter findings' }).fill('owner:non');
    await page.getByRole('option', { name: 'Owner: none' }).click();
    await page.getByText('No finding matches the filters').waitFor();
    await client.call('AssignFindings', {
      query: { owner: 'eq:me' },
      body: { owner: null, all_matching: true },
    });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 4.3, views: a view is saved, shared and opened, and says which of its filters no longer exist', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      viewport: { width: 1440, height: 900 },
      // The zone no longer exists.
      expected: [404],
    });
    for (const { id } of (await client.call('ListViews')).data)
      await client.call('DeleteView', { params: { view_id: id } });
    // Views that an earlier version stored in the browser are moved to the service.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('old') === null)
        localStorage.setItem('clew.finding-views', '[{"name":"From before","query":"severity=high"}]');
      sessionStorage.setItem('old', 'yes');
    });
    await page.goto('/ui/findings?severity=critical&sort=-first_seen');
    await settled(page);
    const views = page.locator('details.menu').filter({ hasText: 'Save this view' });
    const open1 = () => views.locator('summary').click();
    await open1();
    await views.getByRole('link', { name: 'From before' }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('clew.finding-views'))).toBeNull();
    await page.keyboard.press('Escape');
    const columns = page.locator('details.menu').filter({ hasText: 'Principal' });
    await columns.locator('summary').click();
    await columns.getByLabel('Zone').uncheck();
    await columns.getByLabel('Target').check();
    await page.keyboard.press('Escape');
    await open1();
    await views.getByRole('button', { name: 'Save this view…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Newest critical');
    await dialog.getByRole('checkbox', { name: /Share/ }).check();
    expect(await faultsOfState(page, DIALOG)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The view Newest critical is saved').waitFor();
    expect((await client.call('ListViews')).data).toMatchObject([
      { name: 'From before', query: 'severity=high', columns: null, shared: false },
      {
        ...{ name: 'Newest critical', query: 'severity=critical&sort=-first_seen', shared: true },
        columns: ['Target', 'Exposure', 'Repair', 'Age', 'Due', 'Owner', 'State'],
      },
    ]);

    const { data: type } = await client.call('CreateView', {
      body: { name: 'Of the past', page: 'findings', query: 'severity=critical&type=NoSuchType&zone=77' },
    });
    await page.goto('/ui/findings');
    await settled(page);
    const heads = page.getByRole('columnheader');
    await open1();
    await views.getByRole('link', { name: 'From before' }).click();
    await page.waitForURL(/severity=high/);
    await expect.poll(() => heads.allTextContents()).toContain('Zone');
    await views.getByRole('link', { name: 'Newest critical' }).click();
    await page.waitForURL(/severity=critical&sort=-first_seen/);
    await expect.poll(async () => (await heads.allTextContents()).join()).toContain('Target');
    expect(await heads.allTextContents()).not.toContain('Zone');
    await views.getByRole('link', { name: 'Of the past' }).click();
    await page.getByText('2 filters no longer exist: the finding type NoSuchType, zone 77.').waitFor();
    await page.getByRole('button', { name: 'Drop these filters' }).click();
    await page.waitForURL((url) => url.search === '?severity=critical');
    await page.getByRole('table', { name: 'Findings' }).waitFor();
    if (!(await views.getByRole('link', { name: 'Of the past' }).isVisible())) await open1();
    await views.getByRole('button', { name: 'Remove Of the past' }).click();
    await page.getByText('The view Of the past is removed').waitFor();
    expect((await client.call('ListViews')).data.map(({ id }) => id)).not.toContain(type.id);
    for (const { id } of (await client.call('ListViews')).data)
      await client.call('DeleteView', { params: { view_id: id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 7, views: lists of other pages keep their filters, too', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      viewport: { width: 1440, height: 900 },
      // The zone no longer exists.
      expected: [404],
    });
    const dialog = page.getByRole('dialog');
    const menu = page.locator('details.menu').filter({ hasText: 'Save this view' });
    const saveAs = async (name: string) => {
      await menu.locator('summary').click();
      await menu.getByRole('button', { name: 'Save this view…' }).click();
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(`The view ${name} is saved`).waitFor();
    };
    await page.goto('/ui/admin?view=audit');
    await settled(page);
    await page.getByLabel('Who').fill('admin');
    await page.getByLabel('What').fill('Login');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/action=Login/);
    await saveAs('Sign-ins of admin');
    /** The other lists, their addresses, and the kept filters. */
    const others = [
      ['changes', '/ui/changes?kind=waiting&days=7&item=upload%3A1', 'days=7&kind=waiting'],
      ['fix', '/ui/fix?goal=5&limit=10', 'goal=5'],
      ['posture', '/ui/posture?view=trend&days=90&zone=77', 'days=90&view=trend&zone=77'],
      ['certification', '/ui/admin?view=certification&state=0&tag=1', 'state=0&tag=1'],
      ['zones', '/ui/admin?view=zones&state=0&tag=1', 'tag=1'],
    ] as const;
    // A run examines every third of them.
    const examined = sampledCases(others, 3);
    for (const [of, path] of examined) {
      await visit(page, path);
      await settled(page);
      if (of === 'posture') await page.getByText('A filter no longer exists: zone 77.').waitFor();
      await saveAs(`View of ${of}`);
    }
    const saved = (await client.call('ListViews')).data.map(({ page: of, query }) => [of, query]);
    expect(Object.fromEntries(saved)).toEqual({
      audit: 'action=Login&actor=admin',
      ...Object.fromEntries(examined.map(([of, , kept]) => [of, kept])),
    });
    // A page lists its own views, and opening one fills the filter fields.
    await page.goto('/ui/admin?view=audit');
    await settled(page);
    await menu.locator('summary').press('Enter');
    await expect.poll(() => menu.getByRole('link').count()).toBe(1);
    expect(await faultsOfState(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Sign-ins of admin' }).press('Enter');
    await page.waitForURL(/view=audit&action=Login&actor=admin/);
    await expect.poll(() => page.getByLabel('Who').inputValue()).toBe('admin');
    await expect.poll(() => menu.getByRole('link').getAttribute('aria-current')).toBe('true');
    await page.setViewportSize({ width: 390, height: 844 });
    const paths = ['/ui/admin?view=audit', '/ui/posture', '/ui/changes', '/ui/fix', '/ui/findings'];
    for (const path of sampledCases(paths, 4)) {
      await visit(page, path);
      await settled(page);
      await menu.locator('summary').click();
      const box = (await menu.locator('.menu-items').boundingBox())!;
      expect([path, box.x >= 0 && box.x + box.width <= 390]).toEqual([path, true]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, over]).toEqual([path, 0]);
    }
    for (const { id } of (await client.call('ListViews')).data)
      await client.call('DeleteView', { params: { view_id: id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 4.4, paths: the finding shows the shortest path, the most used, and all, with keys', async () => {
    const { open, settled, client } = running();
    const { data: findings } = await client.call('ListAttackPathFindings', {
      query: { finding_type: 'eq:relationship', sort_by: ['urgency'], limit: 60 },
    });
    let found: { readonly id: number; readonly several: FindingPathsRecord } | undefined;
    for (const { id } of findings) {
      const several = (await client.call('GetFindingPaths', { params: { finding_id: id } })).data;
      if (several.paths.length > 2 && several.most_used !== 0) {
        found = { id, several };
        break;
      }
    }
    const { id, several } = found!;
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/ui/finding/${id}`);
    await settled(page);
    const drawn = page.getByRole('list', { name: /^Attack path of this finding/ });
    const names = async () => (await drawn.getAttribute('aria-label')) ?? '';
    const ends = (at: number) => {
      const { nodes } = several.paths[at]!;
      return `Attack path of this finding, from ${nodes[0]!.name} to ${nodes.at(-1)!.name}`;
    };
    const choice = page.getByRole('group', { name: 'Path', exact: true });
    const count = `${several.is_complete ? 'All' : 'At least'} ${several.count}`;
    await choice.getByRole('button', { name: count }).waitFor();
    const stepper = page.locator('.path-choice .stepper');
    await expect.poll(() => stepper.textContent()).toContain(`1 of ${several.paths.length}`);
    await page.keyboard.press('p');
    await page.waitForURL(/path=2/);
    await expect.poll(() => stepper.textContent()).toContain(`2 of ${several.paths.length}`);
    await choice.getByRole('button', { name: 'Most used' }).click();
    await page.waitForURL(/path=used/);
    await expect.poll(names).toBe(ends(several.most_used!));
    const used = several.paths[several.most_used!]!.principal_count;
    if (used !== null) await page.getByText(`${used} of ${several.principal_count}`).waitFor();
    await choice.getByRole('button', { name: 'Shortest' }).click();
    await page.waitForURL(/path=shortest/);
    const steps = several.paths[several.shortest!]!.relations.length;
    await page.getByText(`${steps} step`, { exact: false }).first().waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    await page.reload();
    await expect.poll(names).toBe(ends(several.shortest!));
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 4.4, closed: the finding says since when, and shows the relationship that it was about', async () => {
    const { open, settled, client } = running();
    const { data } = await client.call('ListAttackPathFindings', {
      query: { finding_type: 'eq:relationship', sort_by: ['urgency'], limit: 1 },
    });
    const row = data[0]!;
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    // The page of a finding that was closed in the meantime.
    await page.route(/attack-paths\/findings\?.*\bid=eq/, (route) =>
      route.fulfill({
        json: {
          ...{ count: 1, skip: 0, limit: 1 },
          data: [{ ...row, status: 'remediated', last_seen: '2026-11-25T12:00:00.000000Z' }],
        },
      }),
    );
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/findings\/\d+\/(paths|evidence)/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`/ui/finding/${row.id}`);
    await settled(page);
    await page
      .getByText(
        /^This finding has been closed since .*2026, so it has no path in the current graph\. An analysis no longer/,
      )
      .waitFor();
    const strip = page.getByRole('list', { name: /^Closed relationship from/ });
    await expect
      .poll(() => strip.locator('.path-name .unseen').allTextContents())
      .toEqual([row.source_principal_name, row.target_principal_name]);
    expect([asked, await page.getByRole('button', { name: /Accept risk|Assign|Reopen/ }).count()]).toEqual([
      [],
      0,
    ]);
    expect(await faultsOfState(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** Tests at length, for the nightly run: the test of owners changes all that match, and `setUp.ts` undoes a change of many findings. */
export function testViewsAtLength(running: () => RunningWeb): void {
  test('section 4.3, all that match: the risk of all is accepted as they were counted, and reopened', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      viewport: { width: 1440, height: 900 },
      // The matching findings differ from those that the dialog counted.
      expected: [409],
    });
    const { data, count } = await client.call('ListAttackPathFindings', { query: { limit: 1 } });
    await page.goto('/ui/findings');
    await settled(page);
    const bulk = page.getByRole('toolbar', { name: 'Selected findings' });
    const dialog = page.getByRole('dialog');
    const selectAll = async () => {
      const box = page.getByRole('table', { name: 'Findings' }).getByRole('checkbox').first();
      await box.check();
      await bulk.getByRole('button', { name: /^Select all \d+ shown$/ }).click();
      await bulk.getByRole('button', { name: /^Select all \d+ matching$/ }).click();
    };
    await selectAll();
    await page.keyboard.press('a');
    await dialog.getByRole('heading', { name: `Accept all ${count} findings that match` }).waitFor();
    await dialog.getByText(new RegExp(`^${count} findings match the filters: .*[1-9]\\d* high`)).waitFor();
    expect(await accessibilityFaults(page, DIALOG)).toEqual([]);
    // In the meantime, another user accepts one of them.
    const risk = { params: { attack_path_id: data[0]!.id } };
    await client.call('UpdateAttackPathRisk', { ...risk, body: { accepted: true } });
    await dialog.getByLabel('Reason').fill('The domain goes in spring');
    await dialog.getByRole('button', { name: `Accept ${count} findings` }).click();
    await dialog.getByText(`have changed in the meantime: ${count - 1} match now`).waitFor();
    await dialog.getByRole('button', { name: `Accept ${count - 1} findings` }).click();
    await page.getByText(`${count - 1} findings accepted`).waitFor();
    await page.getByText('No open findings').waitFor();
    expect((await client.call('GetMatchingFindings')).data.count).toBe(0);

    await visit(page, '/ui/findings?status=accepted');
    await settled(page);
    await selectAll();
    await bulk.getByRole('button', { name: `Reopen ${count}…` }).click();
    await dialog.getByRole('button', { name: `Reopen ${count} findings` }).click();
    await page.getByText(`${count} findings reopened`).waitFor();
    expect((await client.call('GetMatchingFindings')).data.count).toBe(count);
    expect(faults).toEqual([]);
    await context.close();
  });
}
