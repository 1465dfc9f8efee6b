/**
 * A real browser for tests of the web interface: Debian's Chromium, controlled by Playwright. Policy violations, console errors,
 * and requests to other servers fail the test.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The headless shell comes first, because the full browser uses much more processor time. */
const PLACES = [
  process.env.CLEW_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** `undefined` if no browser is installed: the tests are then skipped with a message. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

/** Chromium uses only the last list of disabled features, so this one includes Playwright's. */
const DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  // Address bar suggestions are two pages per window that no test needs; they use a quarter of the processor time.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  // Nor does a test need a process in reserve.
  'SpareRendererForSitePerProcess',
];

/** For tests: their pages end before code is hot, so that compiling it takes longer than it saves. */
export const WITHOUT_COMPILERS = '--js-flags=--no-opt --no-maglev';

/** @param others more options of the browser */
export const startBrowser = (...others: readonly string[]): Promise<Browser> =>
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
      // Pages of a context share a process, which has compiled the interface already.
      '--process-per-site',
      ...others,
    ],
  });

export interface Watched {
  readonly page: Page;
  /** The test closes it at its end: the context of the page, or only the page in the context that tests share. */
  readonly context: Pick<BrowserContext, 'close'>;
  /** Errors so far that are not visible on the page. */
  readonly faults: string[];
}

interface Alone extends Watched {
  readonly context: BrowserContext;
}

/** Shared by the tests of a file: one service, its data and one browser. */
export interface RunningWeb {
  readonly url: string;
  /** Directory for test files. */
  readonly directory: string;
  readonly browser: Browser;
  readonly client: ClewClient;
  /**
   * Opens a page as a signed-in user: with empty storage in the context that the tests of a file share, or in its own context if
   * `options` has more than a size and expected errors.
   */
  open(options?: PageOptions): Promise<Watched>;
  settled(page: Page): Promise<void>;
  stop(): Promise<void>;
  /** Restarts the service after `stop`, at the same address. */
  restart(): Promise<void>;
}

export type PageOptions = Parameters<Browser['newContext']>[0] & {
  /** Error statuses that the test provokes, which browsers write to the console. */
  readonly expected?: readonly number[];
  /** Whether the page has a context of its own, even without options of one. */
  readonly isAlone?: boolean;
};

/** Far above what a page takes: on a busy machine, the default of 30 seconds failed tests whose page came later. */
const PATIENCE_MS = 120_000;

export async function newContext(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Opens a page in its own context. */
export async function openPage(
  browser: Browser,
  url: string,
  { expected, isAlone: _, ...options }: PageOptions = {},
): Promise<Alone> {
  const context = await newContext(browser, url, options);
  const page = await context.newPage();
  return { page, context, faults: await watch(page, url, expected) };
}

/** @returns the errors of the page, also those that happen later */
export async function watch(page: Page, url: string, expected: readonly number[] = []): Promise<string[]> {
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
  return faults;
}

/** Timers of a page that run at least this long are held. */
const HELD_MS = 5_000;

declare global {
  function passTime(milliseconds: number): void;
}

/**
 * Holds long timers of a page, such as those of notices, until the test lets time pass: a busy machine needs longer for the steps of a test
 * than a notice is shown.
 * @param page before its first navigation @returns lets milliseconds pass
 */
export async function holdTimers(page: Page): Promise<(milliseconds: number) => Promise<void>> {
  await page.addInitScript((least) => {
    const { setTimeout: start, clearTimeout: end } = globalThis;
    const held = new Map<number, { left: number; readonly work: () => void }>();
    let count = 0;
    const hold = (work: TimerHandler, milliseconds = 0, ...values: unknown[]): number => {
      if (typeof work !== 'function' || milliseconds < least) return start(work, milliseconds, ...values);
      held.set(--count, { left: milliseconds, work: () => work(...values) });
      return count;
    };
    const release = (id: number | undefined): void => {
      if (id === undefined || !held.delete(id)) end(id);
    };
    Object.assign(globalThis, { setTimeout: hold, clearTimeout: release });
    globalThis.passTime = (milliseconds) => {
      for (const [id, timer] of [...held]) {
        timer.left -= milliseconds;
        if (timer.left > 0) continue;
        held.delete(id);
        timer.work();
      }
    };
  }, HELD_MS);
  return (milliseconds) => page.evaluate((passed) => globalThis.passTime(passed), milliseconds);
}

/** Navigates as a link does, without reloading the interface, which makes walks over all pages faster. */
export async function visit(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith('http')) {
    await page.goto(path);
    return;
  }
  await page.evaluate(async (to) => {
    history.pushState(null, '', to);
    // Waits until the next page is rendered with its data.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, path);
}

export async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Height of a one-line row, with its border. */
const MAX_ROW_HEIGHT = 42;

/** @returns table rows with several lines although none of their columns permits several */
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

/** @returns labels of table buttons that are visible only after sideways scrolling */
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
 * Collects the colors of a page: each text color with its size and backgrounds, which determine its contrast.
 * @param seen colors of earlier pages; new ones are added
 * @param within selector of the checked part
 * @returns whether there are new colors
 */
export async function hasNewColors(page: Page, seen: Set<string>, within = 'body'): Promise<boolean> {
  const colors = await page.evaluate((part) => {
    const found = new Set<string>();
    for (const element of document.querySelectorAll(`${part} *`)) {
      const isText = [...element.childNodes].some(
        (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== '',
      );
      if (!isText && !element.matches('input, select, textarea')) continue;
      // Axe does not check what is hidden, so its colors do not count until it is shown.
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
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

/** Colors whose contrasts axe has checked, by the browser that showed them. */
const checkedColors = new WeakMap<Browser, Set<string>>();

function hasUncheckedColors(page: Page, within?: string): Promise<boolean> {
  const browser = page.context().browser()!;
  const seen = checkedColors.get(browser) ?? new Set();
  checkedColors.set(browser, seen);
  return hasNewColors(page, seen, within);
}

/** Width of a phone, at which pages and dialogs are checked too. */
export const PHONE = 390;

interface Checked {
  /** Checks only these rules. */
  readonly rules?: readonly string[];
  /** Contrast takes most of the time. Default: only if the part has colors that this browser has not shown to axe. */
  readonly checksContrast?: boolean;
  /** Selector of a part of the page, such as a dialog without the page behind it. */
  readonly within?: string;
}

/** The open dialog: the page behind it is inert, and is checked by itself. */
export const DIALOG: Checked = { within: 'dialog[open]' };

/** How many states of pages tests came to, by the browser that showed them. */
const states = new WeakMap<Browser, number>();
const STRIDE = 4;

/**
 * Checks the state of a page that a test comes to, such as an opened dialog. Axe needs as long as the rest of a test, so a run checks every
 * fourth of them; `topics/pages.ts` checks whole pages, and `topics/dialogs.ts` dialogs.
 * @returns violations of an examined state, as `accessibilityFaults` does
 */
export async function faultsOfState(page: Page, checked: Checked = {}): Promise<string[]> {
  const browser = page.context().browser()!;
  const at = states.get(browser) ?? 0;
  states.set(browser, at + 1);
  const cases = sampledCases(
    Array.from({ length: STRIDE }, (_, one) => one),
    STRIDE,
  );
  return cases.includes(at % STRIDE) ? accessibilityFaults(page, checked) : [];
}

/** @returns violations of WCAG 2.2 A and AA, and of best practices, on the page */
export async function accessibilityFaults(
  page: Page,
  { rules, within, checksContrast }: Checked = {},
): Promise<string[]> {
  const contrast = rules !== undefined || (checksContrast ?? (await hasUncheckedColors(page, within)));
  // Injected through the protocol, because the policy of the page forbids other scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'));
  const violations = await page.evaluate(
    async ([only, part, enabled]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: string | Document, options: object): Promise<{ violations: Violation[] }> };
      };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      // Omits the elements of passed rules.
      const options = {
        ...{ runOnly: only ?? tags, resultTypes: ['violations'] },
        rules: { 'color-contrast': { enabled } },
      };
      return (await axe.run(part ?? document, options)).violations;
    },
    [rules, within, contrast] as const,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary?.slice(0, 200)})`)
        .join(' | ')}`,
  );
}
