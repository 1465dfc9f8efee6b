/**
 * The web interface in Chromium without a graphics card: its downloads, when it first shows something useful, and how a
 * graph of 5,000 objects and 20,000 relations is drawn and moved, whole or one object of it. Budgets: 250 kB compressed, 1.5 s, 2 s,
 * 30 frames a second, so 33 ms for a frame. Work of the page's thread for what users do most, on the sample: 100 ms in lists, 200 ms for a finding.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, startServe } from '@clew/service/testing';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { webDirectory } from '../src/index.ts';
import { CHROMIUM, openPage, startBrowser } from '../test/browser.ts';

const OBJECTS = 5000;
const RELATIONS = 20_000;
const MOVED_MS = 3000;
/** Not the overview of a large drawing. */
const DRAWING = 'canvas:not(.minimap)';

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
      const client = new ClewClient({ url: service.url });
      const { session_token } = await client.login('admin', ADMIN_PASSWORD);
      return [
        await firstLoad(browser, service.url),
        await largeGraph(browser, service.url, session_token),
        await interactions(browser, service.url, session_token, client),
      ];
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
  // The browser reads it from a server, as from the service: through the test it would take hundreds of milliseconds.
  const answers = await serveAnswer(JSON.stringify({ data: answer() }));
  await page.route('**/api/v2/graphs/cypher', (route) => route.continue({ url: answers.url }));
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
  const label = (await page.locator(DRAWING).getAttribute('aria-label')) ?? '';
  if (!label.includes('5,000 objects and 20,000 relationships')) throw new Error(`another drawing: ${label}`);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await threadMs(session);
  const box = (await page.locator(DRAWING).boundingBox())!;
  // The ground, not an object: that would be dragged.
  const { frames, rate } = await framesWhileMoving(page, { x: box.x + 4, y: box.y + 4 });
  const work = (await threadMs(session)) - before;
  // Moving can leave no object in view.
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  const object = await anObject(page);
  const beforeDrag = await threadMs(session);
  const dragged = await framesWhileMoving(page, object);
  const dragWork = (await threadMs(session)) - beforeDrag;
  await context.close();
  answers.close();
  return {
    name: `${OBJECTS} objects, ${RELATIONS} relations`,
    figures: {
      'ms to drawn': drawn,
      'frames/s moved': Math.round(rate),
      'work per frame moved (ms)': Number((work / frames).toFixed(1)),
      'frames/s with an object dragged': Math.round(dragged.rate),
      'work per frame with an object dragged (ms)': Number((dragWork / dragged.frames).toFixed(1)),
    },
  };
}

async function serveAnswer(body: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(body);
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Work of the page's thread in ms for what users do most. */
async function interactions(
  browser: Browser,
  url: string,
  token: string,
  client: ClewClient,
): Promise<Result> {
  const sample = new File([await readFile(join(webDirectory, 'sample.zip'))], 'sample.zip');
  const { jobId } = await client.uploadFiles([sample]);
  await client.waitForJob(jobId);
  while ((await client.call('ListAttackPathFindings', { query: { limit: 1 } })).count === 0)
    await new Promise((resolve) => setTimeout(resolve, 500));
  const { page, context } = await openPage(browser, url, { viewport: { width: 1440, height: 900 } });
  await context.addInitScript((kept) => localStorage.setItem('clew.session', kept), token);
  const session = await context.newCDPSession(page);
  // The clock of the thread leaves out other programs on the machine.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const figures: Record<string, number> = {};
  const measure = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const before = await threadMs(session);
    await act();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    figures[`${name} (ms)`] = Math.round((await threadMs(session)) - before);
  };
  await page.goto('/ui/findings');
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(1).waitFor();
  // Searching the page for elements takes time of its thread, so their places are known before.
  for (const by of ['Age', 'Exposure']) {
    const button = await middleOf(page.getByRole('columnheader', { name: by }).getByRole('button'));
    await measure(`sort by ${by.toLowerCase()}`, async () => {
      const answer = page.waitForResponse(/attack-paths\/findings\?/);
      await page.mouse.click(button.x, button.y);
      await answer;
    });
  }
  await page.getByRole('combobox', { name: 'Filter findings' }).focus();
  await measure('a letter in the filter', () => page.keyboard.type('d'));
  await page.keyboard.press('Escape');
  const link = await middleOf(rows.nth(1).getByRole('link').first());
  await measure('open a finding', async () => {
    await page.mouse.click(link.x, link.y);
    await page.waitForFunction(
      () => document.querySelector('ol[aria-label^="Attack path of this finding"]') !== null,
      undefined,
      { polling: 20 },
    );
  });
  await context.close();
  return { name: 'work of the page, by action', figures };
}

async function threadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const found = metrics.find(({ name }) => name === 'TaskDuration');
  if (found === undefined) throw new Error('the browser gives no TaskDuration');
  return found.value * 1000;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(element: Locator): Promise<Point> {
  const { x, y, width, height } = (await element.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** @returns a place of the page with an object of the drawing */
async function anObject(page: Page): Promise<Point> {
  const box = (await page.locator(DRAWING).boundingBox())!;
  const card = page.locator('.hover-card strong');
  for (let step = 0; step < 400; step++) {
    const place = { x: box.x + 200 + (step % 20) * 37, y: box.y + 100 + Math.floor(step / 20) * 23 };
    await page.mouse.move(place.x, place.y);
    const [name = ''] = await card.allTextContents();
    if (name.startsWith('OBJECT')) return place;
  }
  throw new Error('no object of the drawing was found');
}

/** @param from place of the page where the button is pressed */
async function framesWhileMoving(page: Page, from: Point): Promise<{ frames: number; rate: number }> {
  const box = (await page.locator(DRAWING).boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const counted = page.evaluate(
    (time) =>
      new Promise<{ frames: number; rate: number }>((resolve) => {
        let frames = 0;
        const begun = performance.now();
        const count = () => {
          frames++;
          if (performance.now() - begun < time) requestAnimationFrame(count);
          else resolve({ frames, rate: (frames / (performance.now() - begun)) * 1000 });
        };
        requestAnimationFrame(count);
      }),
    MOVED_MS,
  );
  const end = Date.now() + MOVED_MS;
  for (let step = 0; Date.now() < end; step++)
    await page.mouse.move(x + Math.sin(step / 9) * 200, y + Math.cos(step / 9) * 150);
  const result = await counted;
  await page.mouse.up();
  return result;
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
