/**
 * Starts a service with the sample data, in the process of the test, and a browser for each test file of the web interface, so that the
 * files can run in parallel. Tests by topic are in `topics/`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { webDirectory } from '../src/index.ts';
import {
  CHROMIUM,
  newContext,
  openPage,
  type PageOptions,
  type RunningWeb,
  startBrowser,
  type Watched,
  WITHOUT_COMPILERS,
  watch,
} from './browser.ts';
import { loadSample } from './organizations.ts';

if (CHROMIUM === undefined)
  process.stderr.write('Chromium not found: tests of the web interface are skipped.\n');

interface WebOptions {
  /** Whether the service starts without data. */
  readonly isEmpty?: boolean;
  /** Whether the service makes whole plans, after each analysis. */
  readonly makesPlans?: boolean;
  /** Loads other data than the sample, and analyzes them. */
  readonly load?: (client: ClewClient, directory: string) => Promise<void>;
}

/** The size of a page if a test asks for no other. */
const SIZE = { width: 1280, height: 720 };

/** @param define is called at once, but may use its parameter only inside tests, after the service has started */
export function describeWeb(
  topic: string,
  define: (running: () => RunningWeb) => void,
  { isEmpty = false, makesPlans = true, load = loadSample }: WebOptions = {},
): void {
  describe.skipIf(CHROMIUM === undefined)(`the web interface: ${topic}`, { timeout: 600_000 }, () => {
    let directory: string;
    let served: ServiceHere;
    let browser: Browser;
    let client: ClewClient;
    let token: string;
    let shared: Promise<BrowserContext> | undefined;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'clew-web-'));
      [served, browser] = await Promise.all([
        serveHere(directory, {}, { webDirectory, makesPlans }),
        startBrowser(WITHOUT_COMPILERS),
      ]);
      client = new ClewClient({ url: served.url });
      token = (await client.login('admin', ADMIN_PASSWORD)).session_token;
      if (!isEmpty) await load(client, directory);
    }, 600_000);

    afterAll(async () => {
      await browser?.close();
      await served?.stop();
      await rm(directory, { recursive: true, force: true });
    });

    /** A page begins with the session only. */
    const seed = (page: Page): Promise<unknown> =>
      page.addInitScript((kept) => {
        if (sessionStorage.getItem('seeded') !== null) return;
        localStorage.clear();
        localStorage.setItem('clew.session', kept);
        sessionStorage.setItem('seeded', 'yes');
      }, token);

    /** The context that tests share: its pages load the interface from its cache, and its open page keeps the process. */
    const startShared = async (): Promise<BrowserContext> => {
      const context = await newContext(browser, served.url);
      await (await context.newPage()).goto('/ui/icon.svg');
      return context;
    };

    const open = async (options: PageOptions = {}): Promise<Watched> => {
      const { viewport = SIZE, expected, ...others } = options;
      if (viewport === null || Object.keys(others).length > 0) {
        const watched = await openPage(browser, served.url, options);
        await seed(watched.page);
        return watched;
      }
      shared ??= startShared();
      const page = await (await shared).newPage();
      await page.setViewportSize(viewport);
      const faults = await watch(page, served.url, expected);
      await seed(page);
      return { page, context: { close: () => page.close() }, faults };
    };

    const settled = async (page: Page): Promise<void> => {
      await page.locator('main h1').first().waitFor();
      // Without polling at each frame, which would make the browser draw frames all the time.
      await page.waitForFunction(() => document.querySelector('.waiting, .renewing') === null, undefined, {
        polling: 50,
      });
    };

    define(() => ({
      ...{ url: served.url, directory, browser, client, open, settled },
      stop: () => served.pause(),
      restart: () => served.resume(),
    }));
  });
}
