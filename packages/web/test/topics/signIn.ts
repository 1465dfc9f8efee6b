/** Signing in: with a password, a second factor or a provider, the view of a role, and the end of a session. */
import { createHmac } from 'node:crypto';
import { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import { ADMIN_PASSWORD, startOidcPeer } from '@clew/service/testing';
import { expect, test, vi } from 'vitest';
import { openPage, type RunningWeb, signIn, visit } from '../browser.ts';

/** Code of an authenticator (RFC 6238). @param secret in base 32 */
function oneTimePassword(secret: string, now: number): string {
  const bits = [...secret.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const at = digest[digest.length - 1] & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const READER = { name: 'reader', password: 'another horse battery staple' };

const ALL_PAGES = [
  ...['Fix first', 'Findings', 'What changed', 'Explore', 'Posture', 'What if'],
  ...['Data', 'Custom checks', 'Extensions', 'Reports', 'Administration'],
];

/** Start page of each role, and the pages in its menu. A run examines one of the roles with all pages, and every third of its pages. */
const MENUS = [
  { name: 'Upload-Only', landing: '/data', pages: ['Data'] },
  ...sampledCases(['Auditor', 'Read-Only'], 2).map((name) => ({ name, landing: '/fix', pages: ALL_PAGES })),
];

/** @param running to be called only inside tests */
export function testSignIn(running: () => RunningWeb): void {
  test('a user without rights sees no controls, and a message on links', async () => {
    const { url, browser, client } = running();
    const roles = (await client.call('ListRoles')).data.roles;
    const role = roles.find(({ name }) => name === 'Read-Only')!;
    await client.call('CreateUser', {
      body: { principal: READER.name, secret: READER.password, roles: [role.id], all_environments: true },
    });
    const { page, context, faults } = await openPage(browser, url, { expected: [403] });
    await page.goto('/ui/fix?view=findings&severity=critical');
    await signIn(page, READER.name, READER.password);
    // The user returns to the requested address.
    await page.getByRole('table').waitFor();
    expect(page.url()).toContain('severity=critical');
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await visit(page, '/ui/data?view=uploads');
    await page.getByRole('heading', { name: 'Uploads so far' }).waitFor();
    expect(await page.getByRole('button', { name: 'Choose files…' }).count()).toBe(0);
    await visit(page, '/ui/admin?view=audit');
    await page.getByText("Your role (Read-Only) can't see the audit log").waitFor();
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('each role lands on a page that it may use, and no page of its menu is refused', async () => {
    const { url, browser, client, settled } = running();
    const roles = (await client.call('ListRoles')).data.roles;
    for (const { name, landing, pages } of MENUS) {
      const principal = name.toLowerCase();
      const role = roles.find((one) => one.name === name)!;
      await client.call('CreateUser', {
        body: { principal, secret: READER.password, roles: [role.id], all_environments: true },
      });
      const { page, context, faults } = await openPage(browser, url, { expected: [403] });
      await page.goto('/');
      await signIn(page, principal, READER.password);
      await page.locator('summary', { hasText: principal }).waitFor();
      const menu = page.getByRole('navigation', { name: 'Pages', exact: true }).locator('.page-link .label');
      await vi.waitFor(async () => expect([name, await menu.allTextContents()]).toEqual([name, pages]));
      await settled(page);
      expect([name, new URL(page.url()).pathname]).toEqual([name, `/ui${landing}`]);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(new URL(response.url()).pathname);
      });
      for (const title of sampledCases(pages, 3)) {
        await menu.filter({ hasText: title }).first().click();
        await settled(page);
        const alerts = page.getByText(/^Your role \(/);
        expect([name, title, await alerts.allTextContents(), refused]).toEqual([name, title, [], []]);
      }
      if (name === 'Upload-Only') {
        await visit(page, '/ui/findings');
        await page.getByText("Your role (Upload-Only) can't see Findings").waitFor();
        await page.getByRole('link', { name: 'Go to Data' }).click();
        await page.getByRole('heading', { name: 'Uploads so far' }).waitFor();
      }
      expect(faults).toEqual([]);
      await context.close();
    }
  });

  test('an assistant is shown with its name and address before the user decides', async () => {
    const { url, browser } = running();
    const redirect = 'http://127.0.0.1:33418/callback';
    const registered = await fetch(`${url}/api/v2/oauth/register`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ client_name: '<b>Helper</b>', redirect_uris: [redirect] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const { page, context, faults } = await openPage(browser, url, { expected: [400] });
    await page.route(`${redirect}**`, (route) => route.fulfill({ contentType: 'text/plain', body: 'back' }));
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri: redirect, state: 'kept' },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    });
    await page.goto(`/ui/authorize?${asked}`);
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.getByText('<b>Helper</b>').waitFor();
    await page.getByText('127.0.0.1:33418', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirect}**`);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('state'), searchParams.get('code')?.length]).toEqual(['kept', 43]);
    await page.goto(`/ui/authorize?${asked}`);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL(`${redirect}**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    asked.set('redirect_uri', 'https://evil.example/');
    await page.goto(`/ui/authorize?${asked}`);
    await page.getByText('the redirect address is not one that the client registered').waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    // The browser contacts another server only where the user sends it.
    expect(faults.map((fault) => fault.split('?')[0])).toEqual([
      `request: ${redirect}`,
      `request: ${redirect}`,
    ]);
    await context.close();
  });

  test('a session that ends in mid-work is started again in the same place', async () => {
    const { url, browser, settled, client } = running();
    // A page that waits for the plan polls for it, and would notice the end of the session before the click.
    await client.plan({ limit: 1 });
    const other = new ClewClient({ url });
    const { session_token } = await other.login('admin', ADMIN_PASSWORD);
    const { page, context, faults } = await openPage(browser, url, { expected: [401] });
    await page.goto('/ui/posture?view=choke');
    await page.evaluate((kept) => localStorage.setItem('clew.session', kept), session_token);
    await page.reload();
    await settled(page);
    await other.call('Logout');
    await page.getByRole('link', { name: 'Over time' }).click();
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.getByRole('figure').first().waitFor();
    expect(page.url()).toContain('view=trend');
    // Signing out also ends the session in other tabs.
    const second = await page.context().newPage();
    await second.goto('/ui/fix');
    await second.getByRole('heading', { name: 'Fix first' }).waitFor();
    await page.locator('summary', { hasText: 'admin' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('asks for another password where one has expired, and for the second factor', async () => {
    const { url, browser, client } = running();
    const { page, context, faults } = await openPage(browser, url, { expected: [400, 401] });
    const { id: role } = (await client.call('ListRoles')).data.roles[0];
    await client.call('CreateUser', {
      body: {
        principal: 'late',
        secret: 'a first long password',
        needs_password_reset: true,
        roles: [role],
        all_environments: true,
      },
    });
    await page.goto('/ui/profile');
    // The page shows where the initial password is printed, but only while the service reports that it is valid.
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('First start?').count()).toBe(0);
    await page.route('**/api/v2/sso-providers', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, first_start: true } });
    });
    await page.reload();
    await page.getByText('First start? The initial password is printed').waitFor();
    await signIn(page, 'late', 'a first long password');
    await page.getByLabel('New password', { exact: true }).fill('a second long password');
    await page.getByLabel('Repeat new password').fill('another thing');
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await page.getByText('do not match').waitFor();
    await page.getByLabel('Repeat new password').fill('a second long password');
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await page.getByRole('heading', { name: 'Multi-factor authentication' }).waitFor();
    const factor = page.locator('section', {
      has: page.getByRole('heading', { name: 'Multi-factor authentication' }),
    });
    await factor.getByLabel('Password').fill('a second long password');
    await factor.getByRole('button', { name: 'Set up MFA' }).click();
    const secret = (await factor.locator('code').textContent())!;
    await factor.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await factor.getByLabel('Code that it shows').fill(oneTimePassword(secret, Date.now()));
    await factor.getByRole('button', { name: 'Switch it on' }).click();
    await factor.getByText('Recovery codes').waitFor();
    const [recovery] = (await factor.locator('pre').textContent())!.split('\n');
    await page.locator('summary', { hasText: 'late' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, 'late', 'a second long password');
    await page.getByLabel(/Code of your authenticator/).fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is not valid').waitFor();
    await page.getByLabel(/Code of your authenticator/).fill(recovery);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Multi-factor authentication' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('signs in through a provider, and tries one without leaving the session', async () => {
    const { url, browser, open } = running();
    const peer = await startOidcPeer('clew', [`${url}/api/v2/sso/office/callback`]);
    try {
      peer.claims = { email: 'sso@office.example', email_verified: true };
      const { page, context } = await open({ isAlone: true });
      await page.goto('/ui/admin?view=sso');
      await page.getByRole('button', { name: 'Add OpenID Connect…' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Office');
      await page.getByLabel('Issuer').fill(peer.issuer);
      await page.getByLabel('Client id').fill('clew');
      await page.getByLabel(/Create users automatically/).check();
      await page.getByLabel('Their role').selectOption({ label: 'Read-Only' });
      await page.getByRole('button', { name: 'Add provider' }).click();
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: /Test/ }).click(),
      ]);
      await tab.getByText('The provider signs in sso@office.example').waitFor();
      await page.getByRole('button', { name: 'Remove…' }).waitFor();
      await context.close();

      const fresh = await openPage(browser, url);
      await fresh.page.goto('/ui/posture?view=trend');
      await fresh.page.getByRole('link', { name: 'Office' }).click();
      await fresh.page.getByRole('figure').first().waitFor();
      expect(fresh.page.url()).toContain('view=trend');
      await fresh.page.locator('summary', { hasText: 'sso@office.example' }).waitFor();
      await fresh.context.close();
    } finally {
      await peer.stop();
    }
  });
}
