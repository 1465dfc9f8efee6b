/** Acceptance criteria in a real browser, by page and number. */
import type { Certification } from '@clew/api';
import type { Download } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunningWeb } from '../browser.ts';

export async function textOf(file: Download): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await file.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** @param running to be called only inside tests */
export function testPoints(running: () => RunningWeb): void {
  test('findings 1, 2, 6 and 7: the service sorts, the export is what is filtered, several are accepted at once', async () => {
    const { open, settled, client } = running();
    // Wide enough for all columns.
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/findings?severity=critical');
    await settled(page);
    const shown = () =>
      page
        .getByRole('table')
        .locator('tbody a[href*="/finding/"]')
        .evaluateAll((links) => links.map((link) => Number(link.getAttribute('href')!.split('/').at(-1))));
    for (const [column, sort_by] of [
      ['Age', 'first_seen'],
      ['Exposure', 'exposure_percentage'],
      ['Finding', 'title'],
    ] as const)
      for (const by of [`-${sort_by}`, sort_by]) {
        await page.getByRole('columnheader', { name: column }).getByRole('button').click();
        await page.waitForURL((url) => url.searchParams.get('sort') === by);
        const { data } = await client.call('ListAttackPathFindings', {
          query: { severity: 'eq:critical', sort_by: [by], limit: 50 },
        });
        await expect.poll(shown, { timeout: 30_000 }).toEqual(data.map(({ id }) => id));
      }

    // Rows have one line: hovering shows the full text of a truncated cell.
    const cells = page.getByRole('table').locator('td.grows');
    const cut = await cells.evaluateAll((all) =>
      all.findIndex(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
    );
    expect(cut).toBeGreaterThanOrEqual(0);
    await cells.nth(cut).hover();
    await expect.poll(() => cells.nth(cut).getAttribute('title')).toBe(await cells.nth(cut).textContent());

    const { data: all, count } = await client.call('ListAttackPathFindings', {
      query: { severity: 'eq:critical', sort_by: ['title'], limit: 1000 },
    });
    expect(all).toHaveLength(count);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [head, ...lines] = (await textOf(file)).trim().split(/\r?\n/);
    const columns = ['Finding', 'SourcePrincipalID', 'TargetPrincipalID'].map((name) =>
      head!.split(',').indexOf(name),
    );
    const exported = lines.map((line) => {
      const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)];
      return columns.map((column) => cells[column]![1] ?? cells[column]![2]);
    });
    expect(exported).toEqual(
      all.map(({ finding, source_principal_id, target_principal_id }) => [
        finding,
        source_principal_id,
        target_principal_id,
      ]),
    );

    const bulk = page.getByRole('toolbar', { name: 'Selected findings' });
    const boxes = page.getByRole('table').getByRole('checkbox');
    await boxes.nth(0).check();
    if (count > 50) {
      await bulk.getByRole('button', { name: 'Select all 50 shown' }).click();
      await bulk.getByRole('button', { name: `Select all ${count} matching` }).click();
      await bulk.getByText(`${count} selected`).waitFor();
      await bulk.getByRole('button', { name: 'Clear' }).click();
      await boxes.nth(0).check();
    }
    await boxes.nth(1).check();
    const chosen = (await shown()).slice(0, 2);
    await bulk.getByRole('button', { name: 'Accept risk of 2…' }).click();
    await page.getByLabel('Reason').fill('Both end in spring');
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('2 findings accepted').waitFor();
    await expect.poll(async () => (await shown()).some((id) => chosen.includes(id))).toBe(false);
    const accepted = await client.call('ListAttackPathFindings', {
      query: { status: 'eq:accepted', limit: 10 },
    });
    expect(accepted.data.map(({ id }) => id).sort()).toEqual([...chosen].sort());
    for (const { id, finding, accepted_reason } of accepted.data) {
      expect(accepted_reason).toBe('Both end in spring');
      const body = { risk_type: finding, accepted: false };
      await client.call('UpdateAttackPathRisk', { params: { attack_path_id: id }, body });
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('findings 3: a type shows its text, remediation, trend and findings; keys go through them', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open();
    const type = 'T0GenericWrite';
    const { data, count } = await client.call('ListAttackPathFindings', {
      query: { finding: `eq:${type}`, sort_by: ['urgency'], limit: 50 },
    });
    await page.goto(`/ui/type/${type}`);
    await page.waitForURL(/findings\?type=T0GenericWrite/);
    await settled(page);
    await page
      .getByRole('heading', { level: 1, name: `${data[0]!.title}: ${count} open findings` })
      .waitFor();
    await page.getByText('Open findings over time').first().waitFor();
    await page.getByText('Remediation', { exact: true }).click();
    await page.locator('.type-texts .prose').nth(1).waitFor();
    const rows = page.getByRole('table', { name: 'Findings' }).locator('tbody tr');
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(Math.min(count, 50));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/finding/${data[1]!.id}`);
    await page.getByText(`2 of ${data.length}`).waitFor();
    await page.keyboard.press(']');
    await page.waitForURL(`**/finding/${data[2]!.id}`);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForURL('**/posture');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('explore 3 and 6: sets are ends of paths, and the filter of relationships stays over tabs, as chips', async () => {
    const { open, settled, client } = running();
    const found = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const admins = found.find(({ name }) => name.startsWith('DOMAIN ADMINS@'))!;
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?object=${admins.objectid}`);
    await settled(page);
    const members = page.locator('[data-near="in MemberOf"]');
    await members.waitFor();
    const tabs = page.getByRole('group', { name: 'Search for' });
    await tabs.getByRole('button', { name: 'Path' }).click();
    await page.getByText('Relationships that paths may use').first().click();
    const structure = page.getByRole('checkbox', { name: /^Structure/ });
    await structure.uncheck();
    const chips = page.getByRole('list', { name: 'Relationships left out' });
    await chips.getByText(/Without structure/).waitFor();
    await tabs.getByRole('button', { name: 'Query' }).click();
    await tabs.getByRole('button', { name: 'Object' }).click();
    await chips.getByText(/Without structure/).waitFor();
    await page.getByText(/of \d+ kinds left out/).waitFor();
    expect(await members.count()).toBe(0);
    await tabs.getByRole('button', { name: 'Path' }).click();
    await expect.poll(() => structure.isChecked()).toBe(false);
    await page.reload();
    await chips.getByRole('button').click();
    await chips.waitFor({ state: 'detached' });
    await tabs.getByRole('button', { name: 'Object' }).click();
    await members.waitFor();

    const [user] = await client.search('ada.abel', { kind: 'User' });
    const query = `MATCH (u:User) WHERE u.objectid = "${user!.objectid}" RETURN u`;
    const { data: saved } = await client.call('CreateSavedQuery', { body: { name: 'Helpdesk', query } });
    await page.goto(`/ui/explore?mode=path&to=${admins.objectid}`);
    await page.getByLabel('From a set').selectOption({ label: 'Helpdesk' });
    await page.getByText('results of the query Helpdesk').waitFor();
    const steps = page.getByRole('region', { name: 'Story of the path' }).getByRole('listitem');
    await expect.poll(() => steps.first().textContent()).toContain(user!.name.split('@')[0]);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('From a set').selectOption({ label: 'Certificate template' });
    await page.getByText('The path starts at any object of type Certificate template').waitFor();
    await client.call('DeleteSavedQuery', { params: { saved_query_id: saved.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('zones 4 and 5: members are certified in bulk with a note, and the history is filtered by person and day', async () => {
    const { open, settled, client } = running();
    const tier = { asset_group_tag_id: 1 };
    await client.call('UpdateAssetGroupTag', { params: tier, body: { require_certify: true } });
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=certification&tag=1&state=0');
    await settled(page);
    const before = await client.call('GetAssetGroupTagsCertifications', {
      query: { asset_group_tag_id: 'eq:1', certified: 'eq:0', sort_by: 'name', limit: 50 },
    });
    const list = page.getByRole('region', { name: 'Certification' });
    const boxes = list.getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(before.data.members.length);
    await page.getByRole('button', { name: /^Select these \d+$/ }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    const [first, second] = before.data.members as [Certification, Certification];
    for (const [action, note, member] of [
      ['Certify', 'Seen in the review of the quarter', first],
      ['Revoke', 'No longer an administrator', second],
    ] as const) {
      const box = list.getByRole('checkbox', { name: `Select ${member.name}`, exact: true });
      await box.check();
      await page.getByRole('button', { name: `${action} 1…` }).click();
      await page.getByLabel('Note').fill(note);
      await page.getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The member leaves the list of waiting members.
      await box.waitFor({ state: 'detached' });
    }
    const states = await client.call('GetAssetGroupTagsCertifications', {
      query: { asset_group_tag_id: 'eq:1', sort_by: 'name', limit: 1000 },
    });
    const stateOf = ({ id }: Certification) => states.data.members.find((one) => one.id === id)!.certified;
    expect([first, second].map(stateOf)).toEqual([2, 1]);

    await page.goto('/ui/admin?view=zones');
    await settled(page);
    const certified = states.data.members.filter((one) => one.certified >= 2).length;
    await page
      .getByRole('row', { name: /Tier Zero/ })
      .first()
      .getByRole('link', { name: `${certified} of ${states.count}` })
      .waitFor();
    await page.getByText('History of changes').click();
    const history = page.getByRole('region', { name: 'History, table' });
    await history.getByText('Seen in the review of the quarter').waitFor();
    await history.getByText('Certification revoked').waitFor();
    await page.getByLabel('Who').fill('no person');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('No change matches the filters').waitFor();
    await page.getByLabel('Who').fill('admin');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(/who=admin/);
    await page.getByText('No change matches the filters').waitFor();
    await page.getByLabel('From', { exact: true }).fill(new Date().toISOString().slice(0, 10));
    await page.getByLabel('To', { exact: true }).fill('');
    await history.getByText('Member certified').waitFor();
    await client.call('UpdateAssetGroupTag', { params: tier, body: { require_certify: false } });
    expect(faults).toEqual([]);
    await context.close();
  });
}
