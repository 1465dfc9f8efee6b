/**
 * A real browser for tests of the web interface: Debian's Chromium, driven by Playwright's library. Violations of the page's
 * policy, errors on its console, and requests to other servers fail the test.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ClewClient } from '@clew/client';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The one without windows takes two thirds of the processor's time of the whole browser. */
const PLACES = [
  process.env.CLEW_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** `undefined` where none is installed: the tests say so and are skipped. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

/** Chromium takes the last list of features: this one has those that Playwright switches off and that exist here, too. */
const DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  // Suggestions of the address bar are two pages per window, which no test looks at: a quarter of the processor's time.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors so far that a person would not see. */
  readonly faults: string[];
}

/** Shared by the tests of one file: one service, its data and one browser. */
export interface RunningWeb {
  readonly url: string;
  /** For files of a test. */
  readonly directory: string;
  readonly browser: Browser;
  readonly client: ClewClient;
  /** A page of a user who has signed in already. */
  open(options?: Parameters<typeof openPage>[2]): Promise<Watched>;
  settled(page: Page): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again after `stop`, at the same address. */
  restart(): Promise<void>;
}

/** @param expected statuses of refusals that the test brings about: browsers write them on the console */
export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] & { readonly expected?: readonly number[] } = {},
): Promise<Watched> {
  const { expected = [], ...contextOptions } = options;
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...contextOptions });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const text = message.text();
    if (
      expected.some(
        (status) => text.includes(`status of ${status}`) || (status === 0 && text.includes('net::')),
      )
    )
      return;
    faults.push(`console: ${text} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(?:data|blob):/.test(address)) faults.push(`request: ${address}`);
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      reportError(new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
  });
  return { context, page, faults };
}

/** Goes to a page as a link does, without loading the interface again: walks over all pages are quicker so. */
export async function visit(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith('http')) {
    await page.goto(path);
    return;
  }
  await page.evaluate(async (to) => {
    history.pushState(null, '', to);
    // The next page is rendered, with the data that it waits for.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, path);
}

export async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Height of a row of one line, with its border. */
const MAX_ROW_HEIGHT = 42;

/** @returns rows of tables that have several lines though no column of them may */
export const tallRows = (page: Page): Promise<string[]> =>
  page.evaluate(
    (most) =>
      [...document.querySelectorAll('.table-box tbody tr')]
        .filter((row) => row.querySelector('td.whole, details[open]') === null)
        .map((row) => [row.getBoundingClientRect().height, row.textContent] as const)
        .filter(([height]) => height > most)
        .map(([height, text]) => `${height} px: ${text.slice(0, 80)}`),
    MAX_ROW_HEIGHT,
  );

/** @returns words of buttons of tables that are outside of them until they are scrolled sideways */
export const cutButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.table-box')].flatMap((box) =>
      [...box.querySelectorAll('td button, td a.button')]
        .filter((button) => {
          const cell = button.closest('td')!.getBoundingClientRect();
          const limit = Math.min(box.getBoundingClientRect().right, cell.right);
          return button.getBoundingClientRect().right > limit + 1;
        })
        .map(({ textContent }) => textContent),
    ),
  );

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Notes the colors of a page: each text with its size and the grounds below it, on which alone its contrast depends.
 * @param seen those of pages before, which the new ones are added to
 * @param within selects the part that is looked at
 * @returns whether any was new
 */
export async function hasNewColors(page: Page, seen: Set<string>, within = 'body'): Promise<boolean> {
  const colors = await page.evaluate((part) => {
    const found = new Set<string>();
    for (const element of document.querySelectorAll(`${part} *`)) {
      const isText = [...element.childNodes].some(
        (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== '',
      );
      if (!isText && !element.matches('input, select, textarea')) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const grounds: string[] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at);
        if (opacity !== '1') grounds.push(`opacity ${opacity}`);
        if (backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none') continue;
        grounds.push(backgroundColor, backgroundImage);
        if (!backgroundColor.startsWith('rgba') && !backgroundColor.includes('/')) break;
      }
      found.add([color, fontSize, fontWeight, ...grounds].join(' '));
    }
    return [...found];
  }, within);
  const before = seen.size;
  for (const one of colors) seen.add(one);
  return seen.size > before;
}

/** Width of a phone: pages and dialogs are looked at here as well. */
export const PHONE = 390;

interface Checked {
  /** Those alone. */
  readonly rules?: readonly string[];
  /** False where no color is new: contrast takes most of the time of all rules. */
  readonly checksContrast?: boolean;
  /** A part of the page: what is behind a dialog is checked without it. */
  readonly within?: string;
}

/** @returns violations of the rules of WCAG 2.2 A and AA, and of best practices, on the page */
export async function accessibilityFaults(
  page: Page,
  { rules, within, checksContrast = true }: Checked = {},
): Promise<string[]> {
  // Put there by the protocol, not by the page: its policy allows no other scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'));
  const violations = await page.evaluate(
    async ([only, part, contrast]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: string | Document, options: object): Promise<{ violations: Violation[] }> };
      };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      // Elements of rules that hold are not described.
      const options = {
        ...{ runOnly: only ?? tags, resultTypes: ['violations'] },
        rules: { 'color-contrast': { enabled: contrast } },
      };
      return (await axe.run(part ?? document, options)).violations;
    },
    [rules, within, checksContrast] as const,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary?.slice(0, 200)})`)
        .join(' | ')}`,
  );
}
