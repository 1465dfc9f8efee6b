/** All dialogs and menus in a real browser at phone width: a button whose label ends in "…" opens a dialog. */
import { sampledCases } from '@clew/common/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults, hasNewColors, PHONE, type RunningWeb, visit } from '../browser.ts';

const PASSWORD = 'one more horse staple';
const WIDTH = PHONE;
const NARROW = { width: WIDTH, height: 800 };
/** Colors do not depend on the width, so phone-width dialogs and menus are checked only for structure. */
const WIDE = { width: 1440, height: 900 };

/** An action on a page before the search for buttons. */
type Step = (page: Page) => Promise<unknown>;
/** The beginnings of labels that must exist; all other buttons of this kind are pressed too. */
type Place = readonly [path: string, words: readonly string[], prepare?: Step];

const selectFirst: Step = (page) => page.locator('main input[type=checkbox]:visible').first().check();
const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.locator('main').getByRole('button', { name }).first().click();
const file = (name: string, content: unknown) => ({
  ...{ name, mimeType: 'application/json' },
  buffer: Buffer.from(JSON.stringify(content)),
});

/** Dialogs that are opened in another way. */
const OTHERS: readonly (readonly [path: string, open: Step])[] = [
  ['/ui/fix', (page) => page.keyboard.press('?')],
  ['/ui/fix', (page) => page.keyboard.press('Control+k')],
  ['/ui/fix', (page) => page.getByRole('button', { name: 'More', exact: true }).click()],
  ['/ui/admin?view=webhooks', press('Deliveries')],
  [
    '/ui/profile',
    async (page) => {
      await press('Create API token…')(page);
      await page.getByLabel('Name', { exact: true }).fill('walk');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('The key is shown').waitFor();
    },
  ],
  [
    '/ui/extensions',
    async (page) => {
      const broken = file('broken.json', { schema: { name: 'x' }, node_kinds: [{ name: 'User' }] });
      await page.getByLabel('Definition or bundle of an extension').setInputFiles(broken);
      await page.getByText('/schema/version: is missing').waitFor();
    },
  ],
  [
    '/ui/checks',
    async (page) => {
      await page.getByLabel('Files with checks').setInputFiles(file('no.json', { name: 'Check_No' }));
      await page.getByRole('dialog').waitFor();
    },
  ],
];

const PARTS = [1, 2, 3, 4, 5, 6];

/** @param running to be called only inside tests */
export function testDialogs(running: () => RunningWeb): void {
  let places: Promise<readonly Place[]> | undefined;
  /** Titles of dialogs that axe has checked, because pages share dialogs. */
  const checked = new Set<string>();
  /** Contrasts that axe has checked in dialogs, in both themes. */
  const colors = new Set<string>();
  const filled = (): Promise<readonly Place[]> => {
    places ??= fill(running());
    return places;
  };

  // A run examines the dialogs of one sixth of the pages.
  test.each(sampledCases(PARTS, PARTS.length))(
    'section 4, dialogs: each fits a phone, has the focus, and ends with Escape (part %i of 6)',
    async (part) => {
      const { open, settled } = running();
      const { page, context, faults } = await open({
        ...{ viewport: NARROW, hasTouch: true },
        // A query that was never shared has no permissions; broken files are refused.
        expected: [400, 404],
      });
      const found: string[] = [];
      let chosen = false;
      page.on('filechooser', () => {
        chosen = true;
      });
      const look = async (where: string): Promise<void> => {
        const dialog = page.locator('dialog[open]');
        await dialog.waitFor();
        for (const fault of await dialogFaults(page)) found.push(`${where}: ${fault}`);
        const title = (await dialog.locator('h2').first().textContent()) ?? '';
        if (!checked.has(title)) {
          checked.add(title);
          const within = 'dialog[open]';
          const checksContrast = await hasNewColors(page, colors, within);
          for (const fault of await accessibilityFaults(page, { within, checksContrast }))
            found.push(`${where}: ${fault}`);
          await page.emulateMedia({ colorScheme: 'dark' });
          if (await hasNewColors(page, colors, within))
            for (const fault of await accessibilityFaults(page, { within, rules: ['color-contrast'] }))
              found.push(`${where}, dark: ${fault}`);
          await page.emulateMedia({ colorScheme: 'light' });
          await page.setViewportSize(WIDE);
          if (await dialog.isVisible())
            for (const fault of await accessibilityFaults(page, { within, checksContrast: false }))
              found.push(`${where}, ${WIDE.width} px: ${fault}`);
          await page.setViewportSize(NARROW);
        }
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      };
      for (const [at, [path, expected, prepare]] of (await filled()).entries()) {
        if (at % PARTS.length !== part - 1) continue;
        await visit(page, path);
        await settled(page);
        await prepare?.(page);
        const missing = async () => {
          const shown = await openers(page);
          return expected.filter((words) => !shown.some((one) => one.startsWith(words)));
        };
        await expect.poll(missing, { message: path }).toEqual([]);
        for (const fault of await menuFaults(page, checked)) found.push(`${path}: ${fault}`);
        for (const words of await openers(page)) {
          const button = page.locator('main button:enabled', { hasText: words }).first();
          const isFocusable = await button.evaluate((element) => {
            element.focus();
            return document.activeElement === element;
          });
          chosen = false;
          await button.click();
          // The button opens a dialog of the page, or the file dialog of the system.
          const opened = async () => chosen || (await page.locator('dialog[open]').count()) > 0;
          await expect.poll(opened, { message: `${path} ${words}` }).toBe(true);
          if (chosen) continue;
          const opener = await button.elementHandle();
          await look(`${path} ${words}`);
          // The wide page has other rows, so the dialog is opened and closed once more.
          if ((await opener?.evaluate((element) => element.isConnected)) === false) {
            await button.focus();
            await button.click();
            await page.locator('dialog[open]').waitFor();
            await page.keyboard.press('Escape');
            await page.locator('dialog[open]').waitFor({ state: 'detached' });
          }
          const returned = await button.evaluate((element) => document.activeElement === element);
          if (isFocusable && !returned) found.push(`${path} ${words}: the focus does not return`);
        }
      }
      for (const [at, [path, open]] of OTHERS.entries()) {
        if (at % PARTS.length !== part - 1) continue;
        await visit(page, path);
        await settled(page);
        await open(page);
        await look(`${path}, ${at}`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
}

/** Creates an item of each type with dialogs. The items stay, so later walks over all pages include them. */
async function fill({ client }: RunningWeb): Promise<readonly Place[]> {
  const { roles } = (await client.call('ListRoles')).data;
  const reader = roles.find(({ name }) => name === 'Read-Only')!;
  const principal = 'reader.of.a.subsidiary@a-rather-long-name.example';
  await client.call('CreateUser', { body: { principal, secret: PASSWORD, roles: [reader.id] } });
  const self = (await client.call('GetSelf')).data.id;
  await client.call('CreateAuthToken', { body: { user_id: self, token_name: 'connector' } });
  const events = ['finding.opened'] as const;
  const hook = { name: 'SIEM', url: 'https://siem.example/clew', event_types: [...events] };
  await client.call('CreateWebhook', { body: hook });
  await client.call('CreateOIDCProvider', {
    body: {
      ...{ name: 'Walk', issuer: 'https://login.example', client_id: 'clew' },
      config: { auto_provision: { enabled: false, default_role_id: reader.id, role_provision: false } },
    },
  });
  const rrule = 'DTSTART;TZID=Europe/Berlin:20300101T023000\nRRULE:FREQ=DAILY';
  await client.call('CreateClient', { body: { name: 'Berlin', type: 'azurehound', events: [{ rrule }] } });
  const zone = await client.call('CreateAssetGroupTag', {
    body: { name: 'Tier One', type: 1, require_certify: true },
  });
  const [user] = await client.search('ada.abel', { kind: 'User' });
  const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
  await client.call('CreateAssetGroupTagSelector', {
    params: { asset_group_tag_id: zone.data.id },
    body: { name: 'Chosen', seeds: [{ type: 1, value: user!.objectid }] },
  });
  await client.call('UpdateAssetGroupTag', {
    params: { asset_group_tag_id: 1 },
    body: { require_certify: true },
  });
  const query = 'MATCH (u:User) RETURN u LIMIT 5';
  await client.call('CreateSavedQuery', { body: { name: 'Five users', query } });
  const drawing = await client.call('CreateDrawing', {
    body: {
      ...{ name: 'One user', address: `object=${user!.objectid}`, relationships: [] },
      objects: [{ object_id: user!.objectid, name: user!.name, kind: 'User', x: 0, y: 0, pinned: false }],
    },
  });
  const report = await client.call('CreateReport', {
    body: { name: 'Board', schedule: 'monthly', masked: true },
  });
  await client.call('CreatePlan', { body: { name: 'Winter', disable: [user!.objectid] } });
  const [finding] = (await client.call('ListAttackPathFindings', { query: { limit: 1 } })).data;
  const path = `from=${user!.objectid}&to=${admins!.objectid}`;
  return [
    ['/ui/fix', ['Accept risk…', "We can't change this…", 'Start this plan…']],
    ['/ui/findings', ['Accept risk of 1…', 'Assign…'], selectFirst],
    [`/ui/finding/${finding!.id}`, ['Accept risk…', 'Assign…']],
    [`/ui/explore?mode=query&q=${encodeURIComponent(query)}`, ['Save…', 'Change…', 'Share…', 'Import…']],
    [`/ui/explore?object=${admins!.objectid}&selected=${admins!.objectid}`, []],
    [`/ui/explore?drawing=${drawing.data.id}`, ['Rename or share…', 'Delete…', 'Save…']],
    [
      `/ui/explore?mode=path&${path}`,
      ['Save…', "We can't change this…"],
      (page) =>
        page
          .getByRole('region', { name: 'Story of the path' })
          .getByRole('listitem')
          .first()
          .getByRole('button')
          .first()
          .click(),
    ],
    ['/ui/what-if?view=plans', ['Delete…'], press('Winter')],
    ['/ui/data', ['Upload…']],
    ['/ui/data?view=collectors', ['Register a collector…', 'Schedule…', 'Remove…']],
    ['/ui/data?view=clearing', ['Delete…'], selectFirst],
    ['/ui/checks', ['Import…']],
    ['/ui/extensions', ['Install…']],
    ['/ui/reports', ['Schedule…']],
    [`/ui/reports/${report.data.id}`, ['Delete…']],
    ['/ui/admin', ['New user…', 'Change…', 'Remove…']],
    [`/ui/admin?view=zones&tag=${zone.data.id}`, ['New zone…', 'New selector…', 'Change…', 'Delete…']],
    ['/ui/admin?view=tokens', ['Revoke…']],
    ['/ui/admin?view=webhooks', ['New webhook…', 'Change…', 'Remove…']],
    ['/ui/admin?view=certification', ['Certify 1…', 'Revoke 1…'], selectFirst],
    ['/ui/admin?view=sso', ['Add SAML…', 'Add OpenID Connect…', 'Remove…']],
    ['/ui/profile', ['Create API token…']],
  ];
}

/** @returns unique labels of buttons that open a dialog */
async function openers(page: Page): Promise<readonly string[]> {
  const words = await page
    .locator('main button:enabled:visible')
    .evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''));
  return [...new Set(words.filter((one) => one.includes('…')))];
}

/**
 * @param checked labels of menus that axe has checked
 * @returns menus that are cut off at a side of the window, that Escape does not close, or that violate rules of axe
 */
async function menuFaults(page: Page, checked: Set<string>): Promise<string[]> {
  const found: string[] = [];
  // Includes menus of the top bar.
  const menus = page.locator('details.menu');
  for (let at = 0; at < (await menus.count()); at++) {
    const menu = menus.nth(at);
    const summary = menu.locator('summary').first();
    if (!(await summary.isVisible())) continue;
    await summary.click();
    // The menu is positioned after it opens.
    await page.waitForTimeout(50);
    const box = await menu.locator('.menu-items').first().boundingBox();
    const words = await summary.textContent();
    if (box === null || box.x < 0 || box.x + box.width > WIDTH) found.push(`the menu ${words} is cut`);
    const name = `menu ${words}`;
    if (!checked.has(name)) {
      checked.add(name);
      const within = 'details.menu[open]';
      for (const fault of await accessibilityFaults(page, { within })) found.push(`${name}: ${fault}`);
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const fault of await accessibilityFaults(page, { within, rules: ['color-contrast'] }))
        found.push(`${name}, dark: ${fault}`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(WIDE);
      if (await page.locator(within).isVisible())
        for (const fault of await accessibilityFaults(page, { within, checksContrast: false }))
          found.push(`${name}, ${WIDE.width} px: ${fault}`);
      await page.setViewportSize(NARROW);
    }
    await page.keyboard.press('Escape');
    if (await menu.evaluate((element) => (element as HTMLDetailsElement).open))
      found.push(`the menu ${words} stays open`);
  }
  return found;
}

/** @returns violations in the open dialog */
const dialogFaults = (page: Page): Promise<string[]> =>
  page.evaluate((minimum) => {
    const dialog = document.querySelector('dialog[open]')!;
    const found: string[] = [];
    const focused = document.activeElement;
    if ((dialog.querySelector('h2')?.textContent ?? '') === '') found.push('it has no title');
    if (focused === null || !dialog.contains(focused)) found.push('the focus is not in it');
    if (focused?.matches('.danger')) found.push('the focus is on what cannot be undone');
    const boxes = [dialog, ...dialog.querySelectorAll('*')];
    const scrolled = boxes.filter(
      (box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1,
    );
    if (scrolled.length > 1) found.push(`it has ${scrolled.length} scroll bars`);
    if (dialog.scrollWidth > dialog.clientWidth) found.push('it scrolls sideways');
    for (const control of dialog.querySelectorAll<HTMLElement>(
      'button, input, select, textarea, a, summary',
    )) {
      const isBox = control.matches('[type=checkbox], [type=radio]');
      const target = (isBox ? control.closest('label') : null) ?? control;
      const { width, height, left, right, bottom } = target.getBoundingClientRect();
      const words = control.getAttribute('aria-label') ?? target.textContent;
      if (width === 0 || control.matches('p a')) continue;
      if (Math.min(width, height) < minimum)
        found.push(`${words} has ${Math.round(width)} x ${Math.round(height)} px`);
      if (left < 0 || right > innerWidth) found.push(`${words} is cut`);
      if (control.matches('footer button') && bottom > innerHeight) found.push(`${words} is out of reach`);
    }
    return found;
  }, 24);
