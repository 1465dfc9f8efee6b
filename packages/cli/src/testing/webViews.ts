/** Findings as work: their owners and saved views, in a real browser; sections are those of the design. */
import { expect, test } from 'vitest';
import { accessibilityFaults, type RunningWeb } from './browser.ts';

/** @param running is called inside the tests: the service is started before them */
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
    expect(await accessibilityFaults(page)).toEqual([]);
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
    await page.getByText('No owner').waitFor();

    const { count } = await client.call('ListAttackPathFindings', {
      query: { severity: 'eq:high', limit: 1 },
    });
    await page.goto('/ui/findings?severity=high');
    await settled(page);
    await table.getByRole('checkbox').first().check();
    const bulk = page.getByRole('toolbar', { name: 'Selected findings' });
    await bulk.getByRole('button', { name: /^Select all \d+ shown$/ }).click();
    if (count > 50) await bulk.getByRole('button', { name: `Select all ${count} matching` }).click();
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
}
