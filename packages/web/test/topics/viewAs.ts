/** An administrator sees the pages as another user. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOfState, openPage, type RunningWeb, signIn, visit } from '../browser.ts';

const PASSWORD = 'another horse battery staple';
const BAR = /You see Clew as seen\. Changes are off, and private/;

/** @param running to be called only inside tests */
export function testViewAs(running: () => RunningWeb): void {
  test('"View as" shows every page as the user, says so, refuses changes, and ends', async () => {
    const { url, browser, client } = running();
    const { roles } = (await client.call('ListRoles')).data;
    const idOf = (wanted: string) => roles.find(({ name }) => name === wanted)?.id ?? 0;
    for (const [principal, role] of [
      ['seen', 'User'],
      ['viewer', 'Administrator'],
    ] as const)
      await client.call('CreateUser', {
        body: { principal, secret: PASSWORD, roles: [idOf(role)], all_environments: true },
      });
    const { page, context, faults } = await openPage(browser, url, { expected: [401, 403] });
    await page.goto('/ui/admin');
    await signIn(page, 'viewer', PASSWORD);
    await page.getByRole('button', { name: 'View as seen' }).click();
    await page.getByText(BAR).waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    for (const path of [
      '/ui/fix',
      '/ui/explore',
      '/ui/findings',
      '/ui/data',
      '/ui/profile',
      '/ui/authorize',
    ]) {
      await visit(page, path);
      await page.getByText(BAR).waitFor();
    }
    // The user may not see the list of users, and has no way to sign out the administrator.
    await visit(page, '/ui/admin');
    expect(await page.getByRole('button', { name: 'Remove… viewer' }).count()).toBe(0);
    await page.getByText('You see Clew as seen', { exact: true }).first().waitFor({ state: 'attached' });
    await page.locator('header.top details.menu summary').click();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await visit(page, '/ui/explore?mode=query&q=MATCH%20(u%3AUser)%20RETURN%20u.name%20LIMIT%205');
    const second = await page.context().newPage();
    await second.goto('/ui/fix');
    await second.getByText(BAR).waitFor();

    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText(BAR).waitFor({ state: 'detached' });
    await second.getByText(BAR).waitFor({ state: 'detached' });
    await visit(page, '/ui/admin');
    await page.getByRole('button', { name: 'View as seen' }).waitFor();
    expect(faults).toEqual([]);

    // A view that the service has ended is left with the next answer.
    await page.getByRole('button', { name: 'View as seen' }).click();
    await page.getByText(BAR).waitFor();
    const view = await page.evaluate(() => JSON.parse(localStorage.getItem('clew.viewAs') ?? '{}').id);
    const token = await page.evaluate(() => localStorage.getItem('clew.session'));
    const ended = await fetch(`${url}/api/v2/view-as/${view}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(ended.status).toBe(204);
    await openWhileReloading(page, '/ui/findings');
    await page.getByText(BAR).waitFor({ state: 'detached' });
    // A view whose session ended while no page was open keeps no one from signing in, and does not come back.
    await page.goto('/ui/admin');
    await page.getByRole('button', { name: 'View as seen' }).click();
    await page.getByText(BAR).waitFor();
    await page.evaluate(() => localStorage.removeItem('clew.session'));
    await openWhileReloading(page, '/ui/admin');
    await signIn(page, 'viewer', PASSWORD);
    await page.getByRole('button', { name: 'View as seen' }).waitFor();
    expect(await page.getByText(BAR).count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('clew.viewAs'))).toBeNull();

    // So does one whose session is revoked.
    await page.getByRole('button', { name: 'View as seen' }).click();
    await page.getByText(BAR).waitFor();
    const present = await page.evaluate(() => localStorage.getItem('clew.session'));
    await fetch(`${url}/api/v2/logout`, { method: 'POST', headers: { authorization: `Bearer ${present}` } });
    await openWhileReloading(page, '/ui/findings');
    await signIn(page, 'viewer', PASSWORD);
    await page.getByText(BAR).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => localStorage.getItem('clew.viewAs'))).toBeNull();

    const { logs } = (await client.call('ListAuditLogs', { query: { action: 'eq:EndViewAs' } as never }))
      .data;
    expect(logs.length).toBeGreaterThanOrEqual(2);
    await context.close();
  }, 120_000);
}

/** A page whose session ended may reload by itself, which ends a simultaneous navigation. */
async function openWhileReloading(page: Page, path: string): Promise<void> {
  await page.goto(path).catch((error: Error) => {
    if (!/net::ERR_ABORTED|interrupted by another navigation/.test(error.message)) throw error;
  });
}
