/** The page What changed with its inbox, in a real browser, by section of the design. */
import type { UnifiedFindingRow } from '@clew/api';
import { ClewClient } from '@clew/client';
import { expect, test } from 'vitest';
import { DIALOG, faultsOfState, type RunningWeb, visit } from '../browser.ts';

const SINCE = '2020-01-01T00:00:00Z';

/** @param running to be called only inside tests */
export function testInbox(running: () => RunningWeb): void {
  test('section 4.13, inbox: rows are done and undone with keys, for good, and all is read at once', async () => {
    const { open, settled, client } = running();
    await client.call('MarkInbox', { body: { read_before: null } });
    const { data: findings } = await client.call('ListAttackPathFindings', {
      query: { sort_by: ['urgency'], limit: 3 },
    });
    const ids = findings.map(({ id }) => id);
    await client.call('AssignFindings', { body: { owner: 'me', findings: ids } });
    const waiting = async () => {
      const { groups } = (await client.call('GetInbox', { query: { since: SINCE } })).data;
      const { items } = groups.find(({ group }) => group === 'waiting')!;
      return items.filter(({ kind }) => kind === 'assigned').map(({ finding }) => finding!.id);
    };
    expect((await waiting()).sort()).toEqual([...ids].sort());
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/changes?since=2020-01-01');
    await settled(page);
    const group = page.getByRole('region', { name: /^Waiting for me/ });
    await group.waitFor();
    const details = await page.locator('.inbox-row small').allTextContents();
    expect(details.some((text) => text.includes('uploaded by'))).toBe(true);
    expect(details.filter((text) => /^\s*·|·\s*·|·\s*$/.test(text))).toEqual([]);
    await page
      .getByRole('group', { name: 'Groups' })
      .getByRole('button', { name: /^Waiting for me/ })
      .click();
    await page.waitForURL(/kind=waiting/);
    const rows = group.getByRole('listitem').filter({ hasText: 'Assigned to you' });
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => rows.first().textContent()).toContain('assigned by admin');
    expect(await faultsOfState(page)).toEqual([]);
    await page.keyboard.press('j');
    const first = (await rows.first().getByRole('link').textContent())!;
    await page.keyboard.press('e');
    await page.getByText('Marked as done').waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(waiting).toHaveLength(2);
    // The next row has the focus.
    expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe(first);
    await page.keyboard.press('u');
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(waiting).toHaveLength(3);
    await rows.first().getByRole('button', { name: /^Done/ }).click();
    await expect.poll(waiting).toHaveLength(2);
    await page.reload();
    await settled(page);
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(/\/finding\/\d+/);
    await client.call('AssignFindings', { body: { owner: null, findings: ids } });

    await visit(page, '/ui/changes?since=2020-01-01');
    await settled(page);
    // If the two counts of new findings differ, the page explains why.
    const { came_count: came } = (
      await client.call('GetDifference', { query: { since: SINCE, asset_group_tag_id: 1 } })
    ).data.findings;
    const opened = async () =>
      (await client.call('GetInbox', { query: { since: SINCE } })).data.groups.find(
        ({ group: name }) => name === 'opened',
      )!.count;
    const note = page.getByText('neither read nor done');
    await expect.poll(() => note.count()).toBe((await opened()) === came ? 0 : 1);
    // Also after the first analysis, with which nothing is compared yet.
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('Everything is marked as read.').waitFor();
    const { data } = await client.call('GetInbox', { query: { since: SINCE } });
    expect(data.read_before).toBe(data.to);
    expect(data.groups.find(({ group: name }) => name === 'opened')!.count).toBe(0);
    await expect.poll(() => note.count()).toBe(came === 0 ? 0 : 1);
    await page.getByRole('button', { name: 'Unread' }).click();
    await page.waitForURL(/days=read/);
    await client.call('MarkInbox', { body: { read_before: null } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 4.13, path: the selected row shows its attack path, or why it has none', async () => {
    const { open, settled, client } = running();
    await client.call('MarkInbox', { body: { read_before: null } });
    const { data: findings } = await client.call('ListAttackPathFindings', {
      query: { finding_type: 'eq:relationship', sort_by: ['urgency'], limit: 2 },
    });
    const ids = findings.map(({ id }) => id);
    await client.call('AssignFindings', { body: { owner: 'me', findings: ids } });
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    // The answer is delayed, so that its skeleton is visible first.
    let go = (): void => {};
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/findings/*/evidence*', async (route) => {
      await waits;
      await route.continue();
    });
    await page.goto('/ui/changes?since=2020-01-01&kind=waiting');
    const rows = page.getByRole('listitem').filter({ hasText: 'Assigned to you' });
    await rows.first().waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(/item=assigned/);
    const first = rows.first();
    await first.locator('.path-skeleton').waitFor();
    go();
    const strip = page.getByRole('list', { name: /^Attack path of the selected row/ });
    await strip.waitFor();
    await page.unrouteAll();
    const shownId = Number(/item=assigned%3A(\d+)/.exec(page.url())![1]);
    const { attack_path: path } = (
      await client.call('GetFindingEvidence', { params: { finding_id: shownId } })
    ).data;
    await expect
      .poll(() => strip.locator('.path-name .unseen').allTextContents())
      .toEqual(path!.nodes.map(({ name }) => name));
    await expect.poll(() => strip.locator('.path-step.cut').count()).toBe(1);
    expect(await faultsOfState(page)).toEqual([]);
    const toggle = first.getByRole('button', { name: /^Path/ });
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
    await page.reload();
    await strip.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => strip.count()).toBe(0);
    expect(page.url()).not.toContain('item=');
    await toggle.click();
    await strip.waitFor();
    // After a row is done, the next row is selected.
    await page.keyboard.press('e');
    await expect.poll(() => rows.count()).toBe(1);
    await page.waitForURL((url) => url.search.includes('item=') && !url.search.includes(`A${shownId}%3A`));
    await strip.waitFor();
    await page.keyboard.press('o');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await visit(page, '/ui/changes?since=2020-01-01&kind=data');
    await page.locator('.inbox-row').first().waitFor();
    await page.keyboard.press('j');
    await page.getByText('An upload has no attack path.').waitFor();
    await visit(page, '/ui/changes?since=2020-01-01&item=opened%3A0');
    await page.getByText('The row in the address is done, or is not shown.').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, '/ui/changes?since=2020-01-01&kind=waiting');
    await settled(page);
    await rows.first().getByRole('button', { name: /^Path/ }).click();
    await page.locator('.path-strip.narrow').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await faultsOfState(page)).toEqual([]);
    await client.call('AssignFindings', { body: { owner: null, findings: ids } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('section 4.13, mentions: a note names users from a list, and their inbox shows it', async () => {
    const { url, open, settled, client } = running();
    const { roles } = (await client.call('ListRoles')).data;
    const password = 'A long password of mira 9!';
    const { data: mira } = await client.call('CreateUser', {
      body: {
        ...{ principal: 'mira', first_name: 'Mira', last_name: 'M', email_address: 'mira@corp.example' },
        ...{ secret: password, needs_password_reset: false },
        roles: [roles.find(({ name }) => name === 'Power User')!.id],
      },
    });
    const other = new ClewClient({ url });
    await other.login('mira', password);
    const { data: findings } = await client.call('ListAttackPathFindings', {
      query: { finding_type: 'eq:relationship', status: 'eq:active', sort_by: ['-urgency'], limit: 1 },
    });
    const [{ id, finding: type }] = findings as [(typeof findings)[0]];
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/ui/finding/${id}`);
    await settled(page);
    await page.getByRole('button', { name: 'Accept risk…' }).click();
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel('Reason');
    const list = dialog.getByRole('listbox', { name: 'Users to mention' });
    await reason.pressSequentially('Ask me@mi, not @nobody-here, but @MI');
    await list.getByRole('option', { name: 'mira' }).waitFor();
    await expect
      .poll(() => reason.getAttribute('aria-activedescendant'))
      .toBe(await list.getByRole('option', { selected: true }).getAttribute('id'));
    expect(await faultsOfState(page, DIALOG)).toEqual([]);
    // Escape closes the list, not the dialog.
    await page.keyboard.press('Escape');
    await expect.poll(() => list.count()).toBe(0);
    await expect.poll(() => dialog.count()).toBe(1);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('@m');
    await list.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => reason.inputValue()).toBe('Ask me@mi, not @nobody-here, but @mira ');
    await page.keyboard.type('first.');
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.locator('.mention', { hasText: '@mira' }).waitFor();
    await expect.poll(() => page.locator('.mention').count()).toBe(1);
    const waiting = (await other.call('GetInbox')).data.groups.find(({ group }) => group === 'waiting')!;
    expect(waiting.items).toMatchObject([
      {
        ...{ kind: 'mention', place: 'acceptance', by: 'admin', finding: { id } },
        note: 'Ask me@mi, not @nobody-here, but @mira first.',
      },
    ]);

    if ((await client.call('ListAdoptedPlans')).data.length === 0)
      await client.call('AdoptPlan', { body: { name: 'Mentions' } });
    const [plan] = (await client.call('ListAdoptedPlans')).data;
    const params = { plan_id: plan!.plan_id, repair: 1 };
    const notes = `@admin: <b>Saturday</b>?${'\n'.repeat(100)}The owners agreed.`;
    await other.call('UpdatePlanRepair', { params, body: { notes } });
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await visit(page, '/ui/changes?kind=waiting');
      await settled(page);
      const row = page.getByRole('listitem').filter({ hasText: 'Mentioned in the notes of' });
      await row.waitFor();
      await expect.poll(() => row.locator('blockquote').textContent()).toBe(notes);
      expect((await row.boundingBox())?.height).toBeLessThan(400);
      await expect.poll(() => row.locator('.mention.own').textContent()).toBe('@admin');
      await expect.poll(() => row.textContent()).toContain('by mira');
      expect(await faultsOfState(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    const row = page.getByRole('listitem').filter({ hasText: 'Mentioned in the notes of' });
    await row.getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/fix/${plan!.plan_id}-1$`));
    const field = page.locator('.mention-field textarea:visible');
    await expect.poll(() => field.inputValue()).toBe(notes);
    await page.goBack();
    await row.getByRole('button', { name: /^Path/ }).click();
    const strip = row.getByRole('list', { name: /^Attack path of the selected row/ });
    await expect.poll(() => strip.locator('.path-step.cut').count()).toBe(1);
    await row.getByRole('button', { name: /^Done/ }).click();
    await page.getByText('Marked as done').waitFor();
    await page.reload();
    await settled(page);
    expect(await row.count()).toBe(0);

    await client.call('UpdateAttackPathRisk', {
      params: { attack_path_id: id },
      body: { risk_type: type, accepted: false },
    });
    await client.call('DeleteUser', { params: { user_id: mira.id } });
    await client.call('DeletePlan', { params: { plan_id: plan!.plan_id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('what opened is below the upload that brought it, similar rows are one, and a count never says that nothing changed', async () => {
    const { open, settled, client } = running();
    const { data: groups } = await client.call('ListAttackPathFindingGroups', {
      query: { by: 'similar', limit: 1000 },
    });
    // Rows are similar if type, severity, zone and state are equal.
    const rowsOf = async (key: string) => {
      const { data: all } = await client.call('ListAttackPathFindings', {
        query: { similar: `eq:${key}`, limit: 50 },
      });
      const similarityOf = ({ finding, severity, asset_group_tag_id, status }: UnifiedFindingRow) =>
        JSON.stringify([finding, severity, asset_group_tag_id, status]);
      return all.filter((row) => similarityOf(row) === similarityOf(all[0]!));
    };
    const large = groups.filter(({ count: size, lead }) => size > 5 && lead.finding_type === 'relationship');
    const found = await Promise.all(large.map(({ key }) => rowsOf(key)));
    const findings = found.find((rows) => rows.length >= 5)!.slice(0, 5);
    const { data } = await client.call('GetInbox', { query: { since: SINCE, all: true } });
    const uploads = data.groups.find(({ group }) => group === 'data')!.items;
    const { at, count, by } = uploads[0]!;
    const items = findings.map((finding) => ({
      ...{ key: `opened:${finding.id}`, kind: 'opened', at, done: false, by: null },
      finding: { ...finding, began_by: 'data' },
    }));
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    // A single analysis opens no findings, so the answer is composed here of existing findings.
    await page.route('**/api/v2/inbox?**', (route) =>
      route.fulfill({
        json: {
          data: {
            ...data,
            count: items.length + 1,
            groups: [
              { group: 'opened', count: items.length, has_more: false, items },
              { group: 'data', count: 1, has_more: false, items: [{ ...uploads[0]!, done: false }] },
            ],
          },
        },
      }),
    );
    await page.goto('/ui/changes?since=2020-01-01');
    await settled(page);
    // Types of opened findings are also listed below the inbox.
    const opened = page.locator('section.inbox').and(page.getByRole('region', { name: /^Opened/ }));
    await opened
      .getByRole('heading', { level: 3, name: new RegExp(`^Upload of ${count} files? by ${by}, `) })
      .waitFor();
    const one = opened.getByRole('button', {
      ...{ name: `${items.length} findings: ${findings[0]!.title}`, exact: true },
    });
    await expect.poll(() => opened.getByRole('listitem').allTextContents()).toEqual([expect.any(String)]);
    await one.click();
    await expect.poll(() => opened.getByRole('listitem').count()).toBe(items.length + 1);
    expect(await page.getByText(/Nothing (?:changed|left)/).count()).toBe(0);
    expect(await faultsOfState(page)).toEqual([]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    // Keys move the focus from their row into the group; it can be closed while one of its rows is selected.
    await one.focus();
    await page.keyboard.press('j');
    await page.waitForURL(/item=opened/);
    await one.click();
    await page.waitForURL((url) => !url.searchParams.has('item'));
    await expect.poll(() => one.getAttribute('aria-expanded')).toBe('false');
    // All of them are marked as done, and undone, with one request each.
    const marks: string[] = [];
    await page.route('**/api/v2/inbox/marks', async (route) => {
      marks.push(route.request().postData() ?? '');
      await route.fulfill({ json: { data: { read_before: null } } });
    });
    await opened.getByRole('button', { name: /^Done ?: \d+ findings/ }).click();
    await page.getByText(`${items.length} rows marked as done`).waitFor();
    // The next row has the focus; keys move it back to the previous rows.
    const focused = () => page.evaluate(() => document.activeElement?.closest('section')?.textContent ?? '');
    await expect.poll(focused).toMatch(/^Data/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await one.waitFor();
    const keys = items.map(({ key }) => key);
    await expect
      .poll(() => marks.map((text) => JSON.parse(text)))
      .toEqual([{ done: keys }, { undone: keys }]);
    await opened.getByRole('heading', { level: 2 }).click();
    await page.keyboard.press('j');
    expect(await one.evaluate((button) => document.activeElement === button)).toBe(true);
    await page.keyboard.press('e');
    await expect.poll(() => marks.length).toBe(3);
    expect(JSON.parse(marks[2]!)).toEqual({ done: keys });
    expect(faults).toEqual([]);
    await context.close();
  });
}
