/** The first start, a newcomer's first repair, and recovery from failures of the network or the service, in a real browser. */

import { ADMIN_PASSWORD } from '@clew/service/testing';
import { expect, test } from 'vitest';
import { openPage, type RunningWeb, signIn } from '../browser.ts';
import { comesToRepair } from './newcomer.ts';

/** @param running to be called only inside tests */
export function testFirstSteps(running: () => RunningWeb): void {
  test('fault 11, must hold: a newcomer comes from the first start, of which nothing is known, to the first repair and its path with two presses, by keyboard alone, in 15 s', async () => {
    const { url, browser } = running();
    const { page, context, faults } = await openPage(browser, url, { expected: [401] });
    await page.goto('/');
    await signIn(page, 'admin', 'wrong');
    await page.getByRole('alert').getByText('The name or the password is not correct').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password');
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.getByRole('heading', { name: 'Welcome to Clew' }).waitFor();
    // Fault 11: without data, nothing is known.
    await page.goto('/ui/posture');
    await page
      .getByText(/not known/i)
      .first()
      .waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/100 of 100|15 of 15/);
    await page.goto('/ui/fix');
    await page.getByRole('heading', { name: 'Welcome to Clew' }).waitFor();
    await comesToRepair(browser, url);
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
    expect(faults).toEqual([]);
    await context.close();
  });

  test('tries a repair and keeps it as a plan', async () => {
    const { open } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/fix');
    await page.getByRole('button', { name: 'Add to What if' }).first().click();
    await page
      .getByRole('link', { name: /^What if/ })
      .first()
      .click();
    await page.getByText(/finding.* closed,/).waitFor();
    await page.getByRole('button', { name: 'Save as a plan…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The first step');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Saved plans' }).click();
    await page.getByRole('button', { name: 'The first step' }).click();
    await page.getByText(/0 of \d+ steps? done/).waitFor();
    await page.getByText(/^When it was saved: [\d.]+% → [\d.]+%\.$/).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('accepts a finding with a reason, and shows it', async () => {
    const { open } = running();
    const { page, context, faults } = await open();
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

  test('a failing or slow network is reported, and requests are retried', async () => {
    const { open } = running();
    const { page, context, faults } = await open({ expected: [0] });
    await page.route('**/api/v2/attack-paths/finding-groups?**', (route) => route.abort());
    await page.goto('/ui/findings');
    await page.getByText('Could not load the findings').waitFor({ timeout: 100_000 });
    await page.unroute('**/api/v2/attack-paths/finding-groups?**');
    await page.route('**/api/v2/attack-paths/finding-groups?**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table').waitFor({ timeout: 100_000 });
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** @param running called only inside tests */
export function testRestart(running: () => RunningWeb): void {
  test('fault 13: survives a restart of the service in mid-work', async () => {
    const { open, stop, restart } = running();
    // In a context of its own, whose cache does not have the pages that other tests opened.
    const { page, context, faults } = await open({ expected: [0, 502, 503], isAlone: true });
    await page.goto('/ui/findings');
    await page.getByRole('table').waitFor();
    await stop();
    const bar = page.locator('.notices').getByText('Waiting for the service');
    await bar.waitFor({ timeout: 100_000 });
    // Fault 13: a page that was not loaded yet also waits.
    await page.getByRole('link', { name: 'Administration' }).first().click();
    const away = page.locator('main').getByText('Waiting for the service');
    await away.waitFor();
    await restart();
    await bar.waitFor({ state: 'detached', timeout: 100_000 });
    await away.waitFor({ state: 'detached', timeout: 100_000 });
    await page.getByRole('table').waitFor({ timeout: 100_000 });
    // React writes errors caught by its boundary to the console.
    expect(faults.filter((fault) => !/net::|dynamically imported module/.test(fault))).toEqual([]);
    await context.close();
  });
}
