/**
 * The web interface in Chromium without a graphics card: its downloads, when it first shows something useful, and how a
 * graph of 5,000 objects and 20,000 relations is drawn and moved. Budgets: 250 kB compressed, 1.5 s, 2 s, 30 frames a second.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openPage, startBrowser } from '../src/testing/browser.ts';
import { ADMIN_PASSWORD, startServe } from '../src/testing/serveProcess.ts';

const OBJECTS = 5000;
const RELATIONS = 20_000;
const MOVED_MS = 3000;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

export default {
  name: 'web interface',
  async run(): Promise<Result[]> {
    if (CHROMIUM === undefined)
      return [{ name: 'web interface', figures: { skipped: 'Chromium not found' } }];
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const service = await startServe(join(directory, 'data'));
    const browser = await startBrowser();
    try {
      const { session_token } = await new ClewClient({ url: service.url }).login('admin', ADMIN_PASSWORD);
      return [await firstLoad(browser, service.url), await largeGraph(browser, service.url, session_token)];
    } finally {
      await browser.close();
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function firstLoad(browser: Browser, url: string): Promise<Result> {
  const { page, context } = await openPage(browser, url);
  let scripts = 0;
  page.on('response', (response) => {
    if (!/\.js$/.test(new URL(response.url()).pathname)) return;
    scripts += Number(response.headers()['content-length']);
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0].startTime,
  );
  await context.close();
  return {
    name: 'first load',
    figures: { 'kB script': Math.round(scripts / 1000), 'ms to first paint': Math.round(paint) },
  };
}

/** The service is asked for nothing: the answer is made here. */
async function largeGraph(browser: Browser, url: string, token: string): Promise<Result> {
  const { page, context } = await openPage(browser, url, { viewport: { width: 1280, height: 800 } });
  await context.addInitScript((kept) => localStorage.setItem('clew.session', kept), token);
  const body = JSON.stringify({ data: answer() });
  await page.route('**/api/v2/graphs/cypher', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  );
  await page.goto('/ui/fix');
  await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Explore' }).waitFor();
  const began = Date.now();
  await page.evaluate(() => {
    history.pushState(null, '', '/ui/explore?mode=query&q=MATCH%20(n)%20RETURN%20n');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.waitForFunction(() => performance.getEntriesByName('clew-drawn').length > 0);
  const drawn = Date.now() - began;
  const label = (await page.locator('canvas').getAttribute('aria-label')) ?? '';
  if (!label.includes('5,000 objects and 20,000 relations')) throw new Error(`another drawing: ${label}`);
  const frames = await framesWhileMoving(page);
  await context.close();
  return {
    name: `${OBJECTS} objects, ${RELATIONS} relations`,
    figures: { 'ms to drawn': drawn, 'frames/s moved': Math.round(frames) },
  };
}

async function framesWhileMoving(page: Page): Promise<number> {
  const box = (await page.locator('canvas').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const counted = page.evaluate(
    (time) =>
      new Promise<number>((resolve) => {
        let frames = 0;
        const begun = performance.now();
        const count = () => {
          frames++;
          if (performance.now() - begun < time) requestAnimationFrame(count);
          else resolve((frames / (performance.now() - begun)) * 1000);
        };
        requestAnimationFrame(count);
      }),
    MOVED_MS,
  );
  const end = Date.now() + MOVED_MS;
  for (let step = 0; Date.now() < end; step++)
    await page.mouse.move(x + Math.sin(step / 9) * 200, y + Math.cos(step / 9) * 150);
  const frames = await counted;
  await page.mouse.up();
  return frames;
}

function answer() {
  const at = '2026-01-01T00:00:00.000000Z';
  const kinds = ['User', 'Group', 'Computer'];
  const nodes = Object.fromEntries(
    Array.from({ length: OBJECTS }, (_, n) => [
      n,
      {
        ...{
          label: `OBJECT${n}@BENCH.EXAMPLE`,
          kind: kinds[n % 3],
          kinds: [kinds[n % 3]],
          objectId: `S-1-${n}`,
        },
        ...{ isTierZero: n % 100 === 0, isOwnedObject: false, lastSeen: at },
      },
    ]),
  );
  const edges = Array.from({ length: RELATIONS }, (_, n) => ({
    source: String(n % OBJECTS),
    // Each relation has other ends.
    target: String((n * 7 + Math.floor(n / OBJECTS) + 1) % OBJECTS),
    ...{ label: 'GenericAll', kind: 'GenericAll', lastSeen: at, properties: {} },
  }));
  return { nodes, edges, literals: [], columns: ['n'], rows: [], milliseconds: 1 };
}
