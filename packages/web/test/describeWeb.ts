/**
 * Starts a service with the sample data and a browser for each test file of the web interface, so that the files can run in
 * parallel. Tests by topic are in `topics/`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from '@clew/service/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { CHROMIUM, openPage, type RunningWeb, startBrowser, type Watched } from './browser.ts';
import { loadSample } from './organizations.ts';

if (CHROMIUM === undefined)
  process.stderr.write('Chromium not found: tests of the web interface are skipped.\n');

interface WebOptions {
  /** Whether the service starts without data. */
  readonly isEmpty?: boolean;
  /** Loads other data than the sample, and analyzes them. */
  readonly load?: (client: ClewClient, directory: string) => Promise<void>;
}

/** @param define is called at once, but may use its parameter only inside tests, after the service has started */
export function describeWeb(
  topic: string,
  define: (running: () => RunningWeb) => void,
  { isEmpty = false, load = loadSample }: WebOptions = {},
): void {
  describe.skipIf(CHROMIUM === undefined)(`the web interface: ${topic}`, { timeout: 240_000 }, () => {
    let directory: string;
    let served: ServeProcess;
    let browser: Browser;
    let client: ClewClient;
    let token: string;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'clew-web-'));
      [served, browser] = await Promise.all([startServe(join(directory, 'data')), startBrowser()]);
      client = new ClewClient({ url: served.url });
      token = (await client.login('admin', ADMIN_PASSWORD)).session_token;
      if (!isEmpty) await load(client, directory);
    });

    afterAll(async () => {
      await browser?.close();
      await served?.stop();
      await rm(directory, { recursive: true, force: true });
    });

    /** Opens a page as a signed-in user. */
    const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<Watched> => {
      const watched = await openPage(browser, served.url, options);
      await watched.context.addInitScript((kept) => {
        if (sessionStorage.getItem('seeded') === null) localStorage.setItem('clew.session', kept);
        sessionStorage.setItem('seeded', 'yes');
      }, token);
      return watched;
    };

    const settled = async (page: Page): Promise<void> => {
      await page.locator('main h1').first().waitFor();
      await page.waitForFunction(() => document.querySelector('.waiting, .renewing') === null);
    };

    define(() => ({
      ...{ url: served.url, directory, browser, client, open, settled },
      stop: async () => void (await served.stop()),
      restart: async () => {
        served = await startServe(join(directory, 'data'), { CLEW_PORT: new URL(served.url).port });
      },
    }));
  });
}
