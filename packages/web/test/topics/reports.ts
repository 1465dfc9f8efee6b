/** Reports in a real browser, by section of the design. */
import { expect, test } from 'vitest';
import { DIALOG, faultsOfState, type RunningWeb } from '../browser.ts';
import { textOf } from './points.ts';

/** @param running to be called only inside tests */
export function testReports(running: () => RunningWeb): void {
  test('design 4.16: a report is kept under an address, made on a schedule, and stays masked', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto('/ui/reports?days=90');
    await settled(page);
    await page.getByRole('checkbox', { name: /^Masked/ }).check();
    await settled(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /\/ui\/reports\?days=90&masked=yes$/,
    );
    await page.getByRole('button', { name: 'Schedule…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule the report' });
    await dialog.getByLabel('Name').fill('Board <i>of</i> directors');
    await dialog.getByRole('radio', { name: /^Monthly/ }).check();
    expect(await faultsOfState(page, DIALOG)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep report' }).click();
    await page.waitForURL(/\/ui\/reports\/\d+$/);
    await settled(page);
    // The page shows names again, but the report does not.
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Board <i>of</i> directors' }).waitFor();
    await page.getByText('Masked: it has no real names').waitFor();
    const id = Number(page.url().split('/').at(-1));
    const { data } = await client.call('GetReport', { params: { report_id: id } });
    expect(data).toMatchObject({ schedule: 'monthly', masked: true, days: 90 });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download HTML' }).click(),
    ]);
    const html = await textOf(file);
    expect(html).toContain('DOMAIN-A');
    const { data: environments } = await client.call('GetAvailableDomains', {});
    const shown = `${html} ${await page.locator('article.report').innerHTML()}`.toUpperCase();
    for (const { name, id: sid } of environments) {
      expect(shown).not.toContain(name.toUpperCase());
      expect(shown).not.toContain(sid.toUpperCase());
    }
    expect(await faultsOfState(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make again' }).click();
    await page.getByText('The report will be generated again').waitFor();
    await page.getByRole('combobox', { name: 'Made on' }).waitFor();
    await page.getByRole('combobox', { name: 'Schedule' }).selectOption('weekly');
    await page.getByText('Schedule changed').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    // Drawings are measured again after the window is resized.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
    await page.getByRole('link', { name: 'Board <i>of</i> directors' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete report' }).click();
    await page.waitForURL(/\/ui\/reports$/);
    expect((await client.call('ListReports', {})).data).toEqual([]);
    // The link of a masked report opens masked.
    await page.goto('/ui/reports?masked=yes');
    await settled(page);
    await expect.poll(() => page.getByRole('checkbox', { name: /^Masked/ }).isChecked()).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
}
