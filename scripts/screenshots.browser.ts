/**
 * `npm run screenshots`: takes pictures of each page of a service with the organization of the demo, light and dark, in the widths of a
 * desktop and a phone, for `docs/web.md` and for reviews of a change. `-- --sample --out DIRECTORY` takes them with the sample data.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ClewClient } from '../packages/client/src/index.ts';
import { ADMIN_PASSWORD, startServe } from '../packages/service/test/serveProcess.ts';
import { PAGES, PROFILE } from '../packages/web/src/pageRows.ts';
import { BASKET } from '../packages/web/src/service/keptKeys.ts';
import { CHROMIUM, openPage, startBrowser } from '../packages/web/test/browser.ts';
import { loadDemo, loadSample } from '../packages/web/test/organizations.ts';

const { values } = parseArgs({ options: { sample: { type: 'boolean' }, out: { type: 'string' } } });
const PHONE = 390;
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) => [
  [scheme, 1440] as const,
  [scheme, PHONE] as const,
]);
const OUT = resolve(values.out ?? join(import.meta.dirname, '..', 'docs', 'web'));

if (CHROMIUM === undefined) throw new Error('Chromium not found; CLEW_CHROMIUM names one');

const directory = await mkdtemp(join(tmpdir(), 'clew-screenshots-'));
const service = await startServe(join(directory, 'data'));
const browser = await startBrowser();
try {
  const client = new ClewClient({ url: service.url });
  const { session_token } = await client.login('admin', ADMIN_PASSWORD);
  await (values.sample ? loadSample : loadDemo)(client, directory);
  while ((await client.call('ListAttackPathFindings', { query: { limit: 1 } })).count === 0) await sleep(500);
  const from = (await client.search('ada.abel', { kind: 'User' }))[0].objectid;
  const to = (await client.search('domain admins', { kind: 'Group' }))[0].objectid;
  await client.plan({ limit: 5 });
  const critical = await client.call('ListAttackPathFindings', {
    query: { limit: 100, severity: 'eq:critical' },
  });
  const relations = critical.data.filter((row) => row.finding_type === 'relationship');
  // Replication has a path of several steps, and a short remediation.
  const finding = (relations.find(({ relation }) => relation === 'DCSync') ?? relations[0])?.id;
  const file = join(import.meta.dirname, '..', 'examples', 'checks', 'direct-tier-zero-members.json');
  const check = JSON.parse(await readFile(file, 'utf8')) as { readonly name: string };
  await client.call('PutCheck', { params: { check_name: check.name }, body: check });
  // The check starts another analysis, whose results are needed for the pictures.
  const isIdle = async () => (await client.call('GetDatapipeStatus')).data.status === 'idle';
  do await sleep(2000);
  while (!(await isIdle()));
  const plan = await client.plan({ limit: 5 });
  /** The first card is tried in What if. */
  const tried = plan.cards[0]!.packages.map(({ title, references, cost }) => ({
    ...{ title, cost, request: { repairs: references } },
  }));
  /** Parameters of pages that would otherwise be empty, or a list. */
  const asked: Readonly<Record<string, string>> = {
    Explore: `mode=path&from=${from}&to=${to}`,
    'Custom checks': `check=${check.name}`,
    Administration: 'view=zones',
  };
  const pages = {
    ...Object.fromEntries(
      [...PAGES, PROFILE].map(({ path, title }) => [
        title.toLowerCase().replaceAll(' ', '-'),
        `/ui${path}?${asked[title] ?? ''}`,
      ]),
    ),
    repair: '/ui/fix/1',
    type: '/ui/type/T0GenericWrite',
    finding: `/ui/finding/${finding}`,
    object: `/ui/explore?object=${from}&selected=${from}`,
  };
  await mkdir(OUT, { recursive: true });
  for (const [colorScheme, width] of LOOKS) {
    const { page, context } = await openPage(browser, service.url, {
      colorScheme,
      viewport: { width, height: 900 },
    });
    await context.addInitScript(
      ([token, key, basket]) => {
        localStorage.setItem('clew.session', token);
        sessionStorage.setItem(key, basket);
      },
      [session_token, BASKET, JSON.stringify(tried)] as const,
    );
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.waitForFunction(() => document.querySelector('.waiting, .renewing') === null);
      await sleep(1200);
      const picture = `${name}-${colorScheme}${width === PHONE ? '-phone' : ''}.png`;
      await page.screenshot({ path: join(OUT, picture) });
      console.log(join(OUT, picture));
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}
