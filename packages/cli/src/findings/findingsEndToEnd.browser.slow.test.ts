/** Tests findings, posture and the report from a user's view, on a running service. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnifiedFindingRow } from '@clew/api';
import { SEVERITIES } from '@clew/api';
import { ClewClient } from '@clew/client';
import { TOOLS } from '@clew/mcp';
import {
  HOSTILE_DOMAIN,
  HOSTILE_NAMES,
  hostileForest,
  type ServiceHere,
  serveHere,
} from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { webDirectory } from '@clew/web';
import { CHROMIUM, openPage, startBrowser, WITHOUT_COMPILERS } from '@clew/web/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/runCommand.ts';
import { readSession } from '../session.ts';
import { widthOf } from '../terminal/text.ts';

/** Control and format characters except line feeds. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Texts that spreadsheets interpret as formulas, after any spaces and marks. */
const FORMULA = /^[\s",;]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const PATIENCE = { timeout: 120_000 };
const signal = new AbortController().signal;

let directory: string;
let service: ServiceHere;
const run = (...args: string[]) => runCommand({ url: service.url, home: directory, directory }, args);

/** @returns the output of a command, which must succeed */
async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, '']);
  return stdout;
}

const rowsOf = async (...args: string[]): Promise<UnifiedFindingRow[]> =>
  JSON.parse(await shown('findings', '--json', ...args));

async function client(): Promise<ClewClient> {
  const session = await readSession({ HOME: directory });
  return new ClewClient({ url: service.url, credentials: { session: session?.session as string } });
}

/** Format: RFC 4180. */
function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? (bare as string) : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-findings-'));
  service = await serveHere(directory, {}, { webDirectory });
}, PATIENCE.timeout);
afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
}, PATIENCE.timeout);

const COMMANDS = ['findings', 'finding 1', 'posture', 'report --out report.html'];

describe('a user who is not signed in', PATIENCE, () => {
  it.each(COMMANDS)('is reported by clew %s', async (command) => {
    const { code, stdout, stderr } = await run(...command.split(' '));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^clew: not signed in to http:\S+: run "clew login".*\n$/);
  });
});

describe('an empty store', PATIENCE, () => {
  beforeAll(() => run('login'), PATIENCE.timeout);

  it('has no findings and no posture, and reports this', async () => {
    const nothing = 'there is no analysis yet: "clew ingest FILE" uploads a collection';
    expect(await run('findings')).toEqual({ code: 0, stdout: '', stderr: `No findings: ${nothing}.\n` });
    for (const command of ['plan', 'choke-points', 'diff'])
      expect(await run(command)).toEqual({ code: 1, stdout: '', stderr: `clew: ${nothing}\n` });
    for (const [args, missing] of [
      [['cancel', '99'], 'upload job 99'],
      [['retry', '99'], 'upload job 99'],
      [['job-log', '99'], 'collection 99'],
    ] as const)
      expect((await run(...args)).stderr).toMatch(
        new RegExp(`^clew: ${missing} not found: "clew [a-z]+" lists`),
      );
    expect(await run('findings', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(parseCsv(await shown('findings', '--csv'))).toHaveLength(1);
    expect(JSON.parse(await shown('findings', '--sarif')).runs[0].results).toEqual([]);
    expect(await run('posture')).toEqual({
      ...{
        code: 0,
        stdout: '',
        stderr: 'No environment is collected yet: "clew ingest FILE" uploads a collection.\n',
      },
    });
    expect(await run('posture', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await run('finding', '1')).toMatchObject({ code: 1, stderr: 'clew: finding 1 not found\n' });
  });

  it('produces a report that states this', async () => {
    expect((await run('report', '--out', 'empty.html')).stderr).toMatch(/with 0 findings\.\n$/);
    const page = await readFile(join(directory, 'empty.html'), 'utf8');
    expect(page).toContain('The 0 most urgent of 0');
  });
});

describe('a forest with flaws', PATIENCE, () => {
  beforeAll(async () => {
    await run('login');
    await writeForestZip(generateForest({ users: 40, seed: 5 }), join(directory, 'forest.zip'));
    await shown('ingest', 'forest.zip');
  }, PATIENCE.timeout);

  it('has the same order and texts in the API, exports, the tools for assistants and alerts', async () => {
    const sdk = await client();
    const list = async () =>
      (await sdk.call('ListAttackPathFindings', { query: { limit: 1000, sort_by: ['urgency'] } as never }))
        .data;
    await sdk.plan({ limit: 1 });
    const deadline = Date.now() + 30_000;
    while (!(await list()).some(({ repair }) => repair !== undefined) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const rows = await list();
    expect(rows.length).toBeGreaterThan(30);
    const words = (some: readonly Partial<UnifiedFindingRow>[]) =>
      some.map(({ id, severity, severity_reason, closed_by, not_closed, title }) => ({
        ...{ id, severity, severity_reason, closed_by, not_closed, title },
      }));
    expect(words(await rowsOf('--limit', '0'))).toEqual(words(rows));
    const [header = [], ...cells] = parseCsv(await shown('findings', '--csv', '--limit', '0'));
    const column = (title: string) => cells.map((cell) => cell[header.indexOf(title)] ?? '');
    expect(column('SeverityReason')).toEqual(rows.map((row) => row.severity_reason ?? ''));
    expect(column('ClosedBy')).toEqual(rows.map((row) => row.closed_by ?? ''));
    expect(column('NotClosed')).toEqual(rows.map((row) => row.not_closed ?? ''));
    const [{ results }] = JSON.parse(await shown('findings', '--sarif')).runs;
    expect(results.map((one: { properties: { id: number } }) => one.properties.id)).toEqual(
      rows.map(({ id }) => id),
    );
    const tool = TOOLS.find(({ name }) => name === 'list_findings');
    const told = (await tool?.run(sdk, { limit: 100 }, signal)) as { findings: Partial<UnifiedFindingRow>[] };
    expect(words(told.findings)).toEqual(words(rows.slice(0, 100)));
    for (const { id, finding, environment_id, severity_reason } of rows.slice(0, 10)) {
      const { data } = await sdk.call('ListDomainAttackPathsDetails', {
        ...{ params: { domain_id: environment_id }, query: { finding, limit: 1000 } },
      });
      expect(data.find((one) => one.id === id)).toMatchObject({ SeverityReason: severity_reason });
    }
  });

  it('has the same order and texts in the pages of the SDK and in connector alerts', async () => {
    const sdk = await client();
    const all: UnifiedFindingRow[] = [];
    const query = { limit: 40, sort_by: ['urgency'] } as never;
    for await (const page of sdk.pages('ListAttackPathFindings', { query })) all.push(...page);
    expect(all).toEqual(await rowsOf('--limit', '0'));
    const self = (await sdk.call('GetSelf')).data;
    const made = await sdk.call('CreateAuthToken', { body: { user_id: self.id, token_name: 'connector' } });
    const settings = {
      ...{ server: service.url, tokenId: made.data.id, tokenKey: made.data.key, selectedZones: 'All' },
      ...{ state: { directory: 'connector' }, platform: { type: 'jsonl', directory: 'alerts' } },
    };
    await writeFile(join(directory, 'connector.json'), JSON.stringify(settings));
    expect(await shown('connector', 'run', '--config', 'connector.json')).toMatch(/^complete: /);
    const events = (await readFile(join(directory, 'alerts', 'findings.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
    const rows = new Map(all.map((row) => [String(row.id), row]));
    // Including findings that are part of others, because each is reported.
    const listed = events.filter(({ attack_id }) => rows.has(String(attack_id)));
    expect(listed).toHaveLength(all.length);
    for (const event of listed) {
      const { title, severity, severity_reason, finding, environment_name } = rows.get(
        String(event.attack_id),
      ) as UnifiedFindingRow;
      expect(event).toMatchObject({
        ...{ path_title: title, Severity: severity, SeverityReason: severity_reason },
        ...{ finding_type: finding, domain: environment_name },
      });
    }
    const alertsOf = (ids: readonly unknown[]) => [
      ...new Set(
        ids.map((id) => {
          const row = rows.get(String(id)) as UnifiedFindingRow;
          return `${row.finding} ${row.asset_group_tag_id} ${row.environment_name}`;
        }),
      ),
    ];
    expect(alertsOf(listed.map(({ attack_id }) => attack_id))).toEqual(alertsOf(all.map(({ id }) => id)));
  });

  it.skipIf(CHROMIUM === undefined)('has the same order and texts on the page', async () => {
    const browser = await startBrowser(WITHOUT_COMPILERS);
    try {
      const session = (await readSession({ HOME: directory }))?.session as string;
      const { page, context, faults } = await openPage(browser, service.url);
      await context.addInitScript((token) => localStorage.setItem('clew.session', token), session);
      // With an explicit sort order, similar findings are separate rows.
      await page.goto('/ui/findings?sort=urgency');
      const links = page.locator('tbody a[href*="/finding/"]');
      await links.first().waitFor();
      const shownIds = await links.evaluateAll((all) =>
        all.map((link) => Number(/\/finding\/(\d+)$/.exec(link.getAttribute('href') ?? '')?.[1])),
      );
      const rows = (await rowsOf('--limit', '0')).slice(0, shownIds.length);
      expect(shownIds.length).toBeGreaterThan(20);
      expect(shownIds).toEqual(rows.map(({ id }) => id));
      const texts = await page.locator('tbody tr').allInnerTexts();
      const reasons = await page
        .locator('tbody tr .severity')
        .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
      // The row shows the repair as a word, and the tooltip as a sentence.
      const repairs = await page
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => row.querySelector('.in-row[title]')?.getAttribute('title') ?? undefined),
        );
      for (const [at, row] of rows.entries()) {
        // At the start of a line, they are capitalized.
        expect(texts[at].toLowerCase()).toContain(row.title.toLowerCase());
        const said = row.closed_by ?? row.lowered_by ?? row.not_closed;
        expect(repairs[at]?.toLowerCase()).toBe(said?.toLowerCase());
        if (row.repair !== undefined) expect(texts[at]).toContain(`Card ${row.repair}`);
        expect(`${row.severity}: ${reasons[at]}`.toLowerCase()).toBe(row.severity_reason?.toLowerCase());
      }
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it.each(['cause', 'type', 'object'] as const)(
    'has groups of findings by %s, each with its most severe one',
    async (by) => {
      const all = await rowsOf('--limit', '0');
      const { code, stdout } = await run('findings', '--by', by, '--json', '--limit', '0');
      expect(code).toBe(0);
      const groups = JSON.parse(stdout) as {
        key: string;
        count: number;
        findings: string[];
        lead: UnifiedFindingRow;
      }[];
      const keyOf = (row: UnifiedFindingRow) =>
        by === 'cause'
          ? row.group_id
          : by === 'type'
            ? `${row.finding} ${row.asset_group_tag_id}`
            : `${row.environment_id} ${row.target_principal_id}`;
      const expected = Map.groupBy(all, keyOf);
      expect(new Set(groups.map(({ key }) => key))).toEqual(new Set(expected.keys()));
      for (const { key, count, findings, lead } of groups) {
        const rows = expected.get(key) ?? [];
        expect([count, findings]).toEqual([
          rows.length,
          [...new Set(rows.map(({ finding }) => finding))].sort(),
        ]);
        expect(rows.map(({ severity }) => severity)).toContain(lead.severity);
      }
      if (by === 'cause') expect(groups.some(({ findings }) => findings.length > 1)).toBe(true);
      const query = { by, skip: groups.length, limit: 10 };
      const past = await (await client()).call('ListAttackPathFindingGroups', { query });
      expect(past).toMatchObject({ count: groups.length, data: [] });
      const table = await run('findings', '--by', by, '--limit', '3');
      expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ *FINDINGS {2}SEVERITY/) });
      expect(await run('findings', '--by', by, '--csv')).toMatchObject({ code: 2 });
    },
  );

  it('has a table of findings, by severity, then in plan order', async () => {
    const rows = await rowsOf('--limit', '0');
    expect(rows.length).toBeGreaterThan(30);
    const severities = rows.map((row) => SEVERITIES.indexOf(row.severity as (typeof SEVERITIES)[number]));
    expect(severities[0]).toBe(Math.max(...severities));
    const { stdout, stderr } = await run('findings');
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(
      /^ *ID {2}SEVERITY +EXPOSED +IMPACT {2}FINDING +FROM +TO +ENVIRONMENT(?: +CLOSED BY)?$/,
    );
    expect(lines.map((line) => Number(line.trim().split(' ')[0]))).toEqual(
      rows.slice(0, 25).map(({ id }) => id),
    );
    expect(stderr).toContain(`25 of ${rows.length} findings; --limit shows more.\n`);
    const narrow = await runCommand({ url: service.url, home: directory, directory, columns: 90 }, [
      'findings',
    ]);
    for (const line of narrow.stdout.trimEnd().split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(90);
  });

  it('can be filtered by environment, severity, type, zone and state', async () => {
    const all = await rowsOf('--limit', '0');
    const [{ environment_name, environment_id, finding }] = all;
    const environment = all.filter((row) => row.environment_id === environment_id);
    expect(await rowsOf('--environment', environment_name.toLowerCase(), '--limit', '0')).toEqual(
      environment,
    );
    expect(await rowsOf('--environment', environment_id, '--limit', '0')).toEqual(environment);
    for (const severity of SEVERITIES)
      expect(await rowsOf('--severity', severity, '--limit', '0')).toEqual(
        all.filter((row) => row.severity === severity),
      );
    expect(await rowsOf('--type', finding.toLowerCase(), '--limit', '0')).toEqual(
      all.filter((row) => row.finding === finding),
    );
    for (const [zone, id] of [['tier zero', 1] as const, ['1', 1] as const, ['Hygiene', 0] as const]) {
      const ofZone = await rowsOf('--zone', zone, '--limit', '0');
      const ownIds = all.filter((row) => row.asset_group_tag_id === id).map((row) => row.id);
      // Parts represented by a row of another zone are listed in their own zone.
      const parts = ofZone.filter((row) => !ownIds.includes(row.id));
      expect(ofZone.filter((row) => ownIds.includes(row.id)).map((row) => row.id)).toEqual(ownIds);
      expect(parts.map((row) => [row.asset_group_tag_id, typeof row.part_of])).toEqual(
        parts.map(() => [id, 'string']),
      );
    }
    expect(await rowsOf('--status', 'remediated')).toEqual([]);
  });

  it.each([
    [['--type', 'T0GenericAl'], 1, /no finding type is named T0GenericAl; available: T0GenericAll\b/],
    [['--type', 'nonsense'], 1, /no finding type is named nonsense\n$/],
    [['--environment', 'NOWHERE'], 1, /no environment is named NOWHERE; available: .*AURORA\.EXAMPLE/],
    [['--zone', 'Tier Ten'], 1, /no zone is named Tier Ten; available: Tier Zero, Hygiene\n$/],
    [['--severity', 'grave'], 2, /'grave' is invalid.*critical, high, moderate, low/],
    [['--status', 'open'], 2, /'open' is invalid.*active, accepted/],
    [['--limit', '-1'], 2, /Expected a number from 0/],
    [['--json', '--csv'], 2, /cannot be combined/],
    [['--csv', '--sarif'], 2, /cannot be combined/],
    [['--sarif', '--by', 'type'], 2, /omit --by/],
  ])('refuses %j with code %i', async (options, code, message) => {
    const refused = await run('findings', ...options);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr).toMatch(message);
  });

  it('shows each kind of finding', async () => {
    const rows = await rowsOf('--limit', '0');
    const relation = rows.find(({ finding_type }) => finding_type === 'relationship') as UnifiedFindingRow;
    const listed = rows.find(({ finding_type }) => finding_type === 'list') as UnifiedFindingRow;
    const story = await shown('finding', String(relation.id));
    for (const part of [
      ...[relation.title, relation.source_principal_name, relation.target_principal_name],
      ...['how', 'exposed', 'impact', 'Direct path', 'Remediation', 'shortest path'],
    ])
      expect(story).toContain(part);
    const other = await shown('finding', String(listed.id));
    expect(other).toContain(listed.target_principal_name);
    expect(other).not.toContain('exposed ');
    // Rights of everyone are not the path of an account with a finding.
    const roasted = rows.filter(({ finding }) => finding === 'Kerberoasting').slice(0, 3);
    expect(roasted.length).toBeGreaterThan(0);
    for (const { id } of roasted) {
      const [, way = ''] = /Direct path(.*?)Remediation/s.exec(await shown('finding', String(id))) ?? [];
      expect(way).not.toMatch(/DOMAIN USERS|DOMAIN COMPUTERS|AUTHENTICATED USERS|EVERYONE/);
    }
    const json = JSON.parse(await shown('finding', String(relation.id), '--json'));
    expect(json).toMatchObject({ id: relation.id, details: { FromPrincipal: relation.source_principal_id } });
    expect(json.path.edges.length).toBeGreaterThan(0);
  });

  it.each([
    ['999999', 1, 'clew: finding 999999 not found\n'],
    ['0', 2, 'Expected a number from 1'],
    ['abc', 2, 'Expected a number from 1'],
  ])('has no finding %s', async (id, code, message) => {
    const refused = await run('finding', id);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr).toContain(message);
  });

  it('summarizes the posture', async () => {
    const rows = await rowsOf('--limit', '0');
    const { data } = await (await client()).call('GetPostureSummary', {});
    const countOf = (test: (row: UnifiedFindingRow) => boolean): number => rows.filter(test).length;
    for (const severity of SEVERITIES)
      expect(data.findings[severity]).toBe(countOf((row) => row.severity === severity));
    expect(data.types.reduce((sum, { count, part_count }) => sum + count - part_count, 0)).toBe(rows.length);
    const withParts = (await rowsOf('--type', 'T0MarkSensitive', '--limit', '0')).length;
    expect(data.types.find(({ finding }) => finding === 'T0MarkSensitive')).toMatchObject({
      count: withParts,
      part_count: withParts - countOf(({ finding }) => finding === 'T0MarkSensitive'),
    });
    for (const { finding, count, part_count, came_count, techniques, category } of data.types) {
      expect([finding, count - part_count]).toEqual([finding, countOf((row) => row.finding === finding)]);
      expect(came_count).toBe(count - part_count);
      expect(category).not.toBe('');
      for (const technique of techniques) expect(technique).toMatch(/^T1\d{3}(\.\d{3})?$/);
    }
    const types = new Set(data.types.map(({ finding }) => finding));
    for (const { finding } of rows) expect(types).toContain(finding);
    const aurora = data.environments.find(({ name }) => name === 'AURORA.EXAMPLE');
    expect(aurora).toMatchObject({ collected: true, controllers: expect.any(Number) });
    for (const key of [
      'users',
      'computers',
      'groups',
      'controllers',
      'authorities',
      'administrators',
    ] as const)
      expect([key, aurora?.[key]]).not.toEqual([key, 0]);
    const plan = await (await client()).plan({ limit: 1 });
    for (const { environment_id, exposure } of plan.before)
      expect(data.environments.find((each) => each.environment_id === environment_id)?.exposure).toBeCloseTo(
        ...([exposure, 9] as const),
      );
    const points = data.score.parts.reduce((sum, part) => sum + (part.points ?? 0), 0);
    expect(data.score.value).toBe(Math.round(points));
    expect(await shown('posture')).toMatch(new RegExp(`^Score ${data.score.value} of 100\n`));
  });

  it('shows posture with a chart for each environment', async () => {
    const text = await shown('posture');
    const postures = JSON.parse(await shown('posture', '--json'));
    expect(postures.length).toBeGreaterThan(1);
    for (const { environment, measures } of postures) {
      expect(text).toContain(`${environment.name}\n  Exposure of Tier Zero`);
      for (const { days } of measures) expect(days.length).toBeGreaterThan(0);
    }
    expect(text).toMatch(/ {2}Findings +[\d,]+ {2}[▁▂▃▄▅▆▇█]/);
    const [{ environment, measures }] = postures;
    const rows = await rowsOf('--environment', environment.id, '--limit', '0');
    const { value } = measures.find(({ title }: { title: string }) => title === 'Findings').days.at(-1);
    expect(value).toBe(rows.length);
    expect(await shown('posture', '--environment', environment.name, '--zone', '1')).toContain(
      'Objects in Tier Zero',
    );
    expect((await run('posture', '--environment', 'x')).stderr).toContain('no environment is named x');
  });

  it('produces one page with posture, the most urgent findings with their paths, and remedies', async () => {
    const { stderr } = await run('report', '--out', 'report.html', '--top', '5');
    expect(stderr).toBe(`Wrote ${join(directory, 'report.html')} with 5 findings.\n`);
    const page = await readFile(join(directory, 'report.html'), 'utf8');
    const rows = await rowsOf('--limit', '5');
    for (const { id } of rows) expect(page).toContain(`(finding ${id})`);
    for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor}"`);
    // With one day so far, there are figures and no lines.
    expect(page.match(/class="figure"/g)?.length).toBeGreaterThanOrEqual(4);
    expect(page).toMatch(/What to do first<\/h2>/);
    expect(page).toContain('class="path"');
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed)|@import|url\(|src=/);
    const nowhere = await run('report', '--out', join('missing', 'report.html'));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file or directory') });
  });

  it('omits accepted findings, shows them on request, and lists them again after the acceptance ends', async () => {
    const [{ id, finding }] = await rowsOf();
    const accept = async (accepted: boolean) =>
      (await client()).call('UpdateAttackPathRisk', {
        params: { attack_path_id: id },
        body: { risk_type: finding, accepted },
      });
    await accept(true);
    const ids = async (...args: string[]) => (await rowsOf('--limit', '0', ...args)).map((row) => row.id);
    expect(await ids()).not.toContain(id);
    expect(await ids('--status', 'accepted')).toEqual([id]);
    expect(await shown('finding', String(id))).toMatch(/status +accepted by admin\n/);
    await accept(false);
    expect(await ids()).toContain(id);
  });

  it('assigns findings by id and by filter, and lists those of an owner', async () => {
    const [{ id }] = await rowsOf();
    expect((await run('findings', 'assign', String(id), '--to', 'admin')).stderr).toBe(
      '1 finding assigned to admin; 1 had another or none before.\nWithin a day, "clew findings undo 1" undoes this change.\n',
    );
    expect((await rowsOf('--owner', 'ADMIN')).map((row) => row.id)).toEqual([id]);
    expect((await rowsOf('--owner', 'me')).map((row) => row.owner_name)).toEqual(['admin']);
    expect(await shown('finding', String(id))).toMatch(/owner +admin\n/);
    const listFindings = TOOLS.find(({ name }) => name === 'list_findings');
    const listed = (await listFindings?.run(await client(), { owner: 'me' }, signal)) as {
      findings: object[];
    };
    expect(listed.findings).toMatchObject([{ id, owner: 'admin' }]);
    expect(await shown('findings', '--limit', '1')).toMatch(/OWNER[\s\S]*admin/);
    const all = await run('findings', 'assign', '--all', '--severity', 'critical', '--to', 'me');
    expect(all.stderr).toMatch(/^\d+ findings assigned to admin; /);
    expect((await run('findings', 'assign', '--all', '--owner', 'me', '--clear')).stderr).toContain(
      'without an owner',
    );
    expect(await rowsOf('--owner', 'me')).toEqual([]);
    for (const [words, fault] of [
      [[], '--to or --clear'],
      [['--to', 'admin'], 'finding numbers, or --all'],
      [['1', '--all', '--clear'], 'either finding numbers'],
      [['x', '--clear'], 'not a finding number'],
      [['1', '--to', 'nil'], 'no user is named nil'],
      [[String(id), '--clear', '--severity', 'high'], 'filters need --all'],
    ] as const)
      expect((await run('findings', 'assign', ...words)).stderr).toContain(fault);
  });

  it('has the same findings with the same ids after the same archive, with their first times', async () => {
    const before = await rowsOf('--limit', '0');
    await shown('ingest', 'forest.zip');
    expect(await rowsOf('--limit', '0')).toEqual(before);
  });
});

describe('malicious names', PATIENCE, () => {
  let ids: readonly string[];

  beforeAll(async () => {
    await run('login');
    await mkdir(join(directory, 'hostile'));
    for (const [name, content] of Object.entries(hostileForest()))
      await writeFile(join(directory, 'hostile', name), JSON.stringify(content));
    await shown('ingest', 'hostile');
    ids = (await rowsOf('--environment', HOSTILE_DOMAIN, '--limit', '0')).map(({ id }) => String(id));
    expect(ids.length).toBeGreaterThanOrEqual(HOSTILE_NAMES.length * 2);
  }, PATIENCE.timeout);

  it('are unchanged for programs', async () => {
    const rows = await rowsOf('--environment', HOSTILE_DOMAIN, '--limit', '0');
    const names = new Set(rows.map(({ source_principal_name: name }) => name));
    // In upper case like all names, and without NUL, which PostgreSQL cannot store; otherwise unchanged.
    for (const name of HOSTILE_NAMES)
      expect([...names]).toContain(name.toUpperCase().replaceAll('\0', '\u{fffd}'));
  });

  it('are safe on a terminal', async () => {
    const outputs = [
      await shown('findings', '--environment', HOSTILE_DOMAIN, '--limit', '0'),
      await shown('posture', '--environment', HOSTILE_DOMAIN),
      ...(await Promise.all(ids.slice(0, HOSTILE_NAMES.length * 2).map((id) => shown('finding', id)))),
    ];
    for (const text of outputs) {
      expect(text).not.toMatch(UNSAFE);
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(5_000);
    }
    expect(outputs[0].trimEnd().split('\n')).toHaveLength(ids.length + 1);
  });

  it('are safe in spreadsheets', async () => {
    const api = await client();
    const get = (target: string) =>
      api.transport.send({ method: 'GET', target, signal }, (response) => response.text());
    const of = (rest: string) => get(`/api/v2/domains/${HOSTILE_DOMAIN}/${rest}`);
    const files = [
      await shown('findings', '--csv', '--environment', HOSTILE_DOMAIN),
      await of('details?finding=T0GenericAll&Accept=text/csv'),
      await of('details?finding=ASREPRoasting&Accept=text/csv'),
      await of('attack-path-findings?finding=T0GenericAll'),
    ];
    for (const text of files) {
      const [head, ...rows] = parseCsv(text);
      expect(rows.length).toBeGreaterThanOrEqual(HOSTILE_NAMES.length);
      for (const row of rows) {
        expect(row).toHaveLength(head.length);
        for (const cell of row) {
          expect(cell).not.toMatch(FORMULA);
          expect(cell).not.toMatch(UNSAFE);
        }
      }
      expect(text.replaceAll('\r\n', '')).not.toMatch(UNSAFE);
    }
  });

  it('are safe on a page', async () => {
    await run('report', '--out', 'hostile.html', '--environment', HOSTILE_DOMAIN, '--top', '100');
    const page = await readFile(join(directory, 'hostile.html'), 'utf8');
    expect(page).toContain('&lt;SCRIPT&gt;ALERT(1)&lt;/SCRIPT&gt;');
    expect(page).not.toMatch(/<script|<img|<b>\.example/i);
    expect(page).not.toMatch(UNSAFE);
    const elements = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name.toLowerCase()));
    for (const foreign of ['script', 'img', 'iframe', 'object']) expect([...elements]).not.toContain(foreign);
  });
});
