/** Tests the command line on a running service, from an empty store to a found path. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { JOB_STATUS } from '@clew/api';
import { SAMPLE_FILE } from '@clew/collections/testing';
import { connectionToRunning } from '@clew/embedded';
import {
  type FinishedProcess,
  runClew,
  type ServeProcess,
  serveHere,
  startServe,
} from '@clew/service/testing';
import { type Forest, generateForest, writeForestZip } from '@clew/synthetic';
import { edgesOf } from '@clew/synthetic/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { holdIngest } from '../test/heldIngest.ts';
import { runCommand } from '../test/runCommand.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-e2e-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs a command in this process as the user with this home. */
const clew = (url: string, args: readonly string[], home: string, secret?: string) =>
  runCommand({ url, home, directory, secret }, args);

/** The counts of a collection, from a naive reading. */
function countsOf(forest: Forest): { nodes: number; edges: number; kinds: Map<string, number> } {
  const edges = new Set<string>();
  const nodes = new Set<string>();
  for (const file of forest.files) {
    for (const object of file.objects()) {
      nodes.add(object.ObjectIdentifier.toUpperCase());
      for (const edge of edgesOf(file.type, object)) edges.add(edge);
    }
  }
  const kinds = new Map<string, number>();
  for (const edge of edges) {
    const [start, kind, end] = edge.split('|') as [string, string, string];
    nodes.add(start).add(end);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { nodes: nodes.size, edges: edges.size, kinds };
}

/** A service starts in a second or two, or ten times as long on a busy machine. */
const PATIENCE = { timeout: 120_000 };

describe('a user with a collection', PATIENCE, () => {
  const forest = generateForest({ users: 60, seed: 11 });
  let service: ServeProcess;
  let home: string;
  let archive: string;
  const run = (...args: string[]): Promise<FinishedProcess> => clew(service.url, args, home);

  beforeAll(async () => {
    home = join(directory, 'home');
    await mkdir(home);
    archive = join(directory, 'forest.zip');
    await writeForestZip(forest, archive);
    service = await startServe(join(directory, 'data'), {}, { slowSignIn: true });
  }, PATIENCE.timeout);
  afterAll(() => service?.stop(), PATIENCE.timeout);

  it('is asked to sign in first', async () => {
    const { code, stderr } = await run('status');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `clew: not signed in to ${service.url}: run "clew login", or set CLEW_TOKEN_ID and CLEW_TOKEN_KEY\n`,
    );
  });

  it('sees in one line that the password is wrong', async () => {
    const { code, stderr } = await clew(service.url, ['login'], home, 'wrong');
    expect(code).toBe(1);
    expect(stderr).toBe(`clew: wrong name or password for ${service.url}\n`);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  it('signs in, and the session file is private', async () => {
    expect((await run('login')).code).toBe(0);
    expect((await stat(join(home, '.config', 'clew', 'session.json'))).mode & 0o777).toBe(0o600);
  });

  it('ingests an archive, and one line reports that it was read completely', async () => {
    const { code, stdout, stderr } = await run('ingest', 'forest.zip');
    expect(stderr).toBe('Uploading 1 file\nIngesting\nAnalyzing\n'.slice(0, stderr.length));
    expect(stdout).toMatch(new RegExp(`^✓ Job \\d+: complete, ${forest.files.length} files, [^\\n]+\\n$`));
    expect(code).toBe(0);
  });

  it('sees the counts of the collection', async () => {
    const { code, stdout } = await run('status', '--json');
    expect(code).toBe(0);
    const counts = JSON.parse(stdout);
    const expected = countsOf(forest);
    expect(Object.keys(counts)).toEqual(['nodes', 'edges', 'total_nodes', 'total_edges', 'derived']);
    expect(counts.total_nodes).toBe(expected.nodes);
    expect(counts.total_edges).toBe(expected.edges);
    expect(counts.edges).toEqual(Object.fromEntries(expected.kinds));
    expect((await run('status')).stdout).toContain(`${expected.nodes.toLocaleString('en-US')} nodes`);
  });

  it('is warned of a list that lacks objects that Cypher counts', async () => {
    const said = /contradicts itself: .*|not be compared.*/g;
    expect((await run('status')).stdout.match(said)).toBeNull();
    const database = new pg.Client(await connectionToRunning(join(directory, 'data')));
    await database.connect();
    try {
      await database.query(
        `create table planted as select * from zone_member where tag_id = 1 order by node_id limit 2`,
      );
      await database.query(
        'delete from zone_member m using planted p where (m.tag_id, m.node_id) = (p.tag_id, p.node_id)',
      );
      const found = (await run('status')).stdout.match(said) ?? [];
      expect(found).toHaveLength(1);
      const [, listed, counted] =
        /^contradicts itself: members of Tier Zero: (\d+) listed, but Cypher counts (\d+)\.$/.exec(
          found[0] ?? '',
        ) ?? [];
      expect(Number(counted) - Number(listed)).toBe(2);
    } finally {
      await database.query('insert into zone_member overriding system value select * from planted');
      await database.query('drop table planted');
      await database.end();
    }
    expect((await run('status')).stdout.match(said)).toBeNull();
  });

  it('finds objects by a part of their name', async () => {
    const { code, stdout } = await run('search', 'domain admins');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^KIND +NAME +OBJECT ID\n/);
    expect(stdout).toContain('DOMAIN ADMINS@SOUTH.AURORA.EXAMPLE');
    expect(await run('search', 'no such thing')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
  });

  it('queries in Cypher, and sees the position of an error', async () => {
    const admins =
      "MATCH (g:Group) WHERE g.objectid ENDS WITH '-512' AND g.name CONTAINS $part RETURN g.name AS name";
    const asked = await run('query', admins, '--param', 'part=SOUTH');
    expect(asked).toMatchObject({ code: 0, stdout: 'name\nDOMAIN ADMINS@SOUTH.AURORA.EXAMPLE\n' });
    expect(asked.stderr).toMatch(/^1 row, [\d.]+ ms\n$/);
    expect((await run('query', admins, '--param', 'part=SOUTH', '--format', 'csv')).stdout).toBe(
      'name\r\nDOMAIN ADMINS@SOUTH.AURORA.EXAMPLE\r\n',
    );
    const path = await run(
      'query',
      'MATCH p = (u:User)-[:MemberOf]->(g:Group) RETURN p ORDER BY u.name LIMIT 1',
    );
    expect(path.stdout).toMatch(/ -MemberOf-> /);
    const { stdout: plan } = await run('query', admins, '--param', 'part=X', '--explain');
    expect(plan).toMatch(/^STEP +OF +EXPECTED\nbegin +\(g:Group\) by objectid/);
    expect(await run('query', 'MATCH (n) RETURN m')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 1:17 the variable `m` is not defined'),
    });
    expect(await run('query', 'MATCH (n:Nothing) RETURN n')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('warning: no node has the label Nothing'),
    });
    const marked = await run('query', 'MATCH (u:User) SET u.owned = true');
    expect([marked.code, marked.stderr]).toEqual([
      1,
      expect.stringContaining('--layer NAME changes a private layer over the graph instead'),
    ]);
    const layered = await run('query', 'MATCH (u:User) SET u.owned = true', '--layer', 'march');
    expect([layered.code, layered.stderr]).toEqual([0, expect.stringContaining('properties set')]);
    expect((await run('query', 'CREATE (:A)', '--layer', 'march', '--explain')).stderr).toContain(
      'updating clauses are not supported with --explain',
    );
    expect((await run('layer', 'remove', 'march')).code).toBe(0);
    expect((await run('query')).stderr).toContain('give one of: a query, --file, --question or --saved');
    const json = JSON.parse((await run('query', '--question', 'domain-admins', '--format', 'json')).stdout);
    expect(json.columns).toEqual(['p']);
    expect((await run('questions')).stdout).toContain('kerberoastable');
    expect((await run('query', '--question', 'nonsense')).stderr).toContain('query nonsense not found');
  });

  it('saves queries, changes them, shares them and watches them', async () => {
    const counted = 'MATCH (u:User) RETURN count(u) AS users';
    expect(await run('saved-query', 'add', 'Users', counted, '--description', 'how many')).toMatchObject({
      code: 0,
      stderr: 'Saved Users; "clew query --saved Users" runs it.\n',
    });
    expect((await run('query', '--saved', 'Users')).stdout).toBe((await run('query', counted)).stdout);
    expect((await run('query', '--saved', 'None')).stderr).toContain('saved query None not found');
    expect(await run('saved-query', 'change', 'Users')).toMatchObject({ code: 2 });
    expect((await run('saved-query', 'change', 'Users', '--name', 'All users')).code).toBe(0);
    expect((await run('saved-query', 'watch', 'All users')).code).toBe(0);
    const listed = await run('saved-queries');
    expect(listed.stdout).toMatch(/^All users +owned +waits for an analysis +how many$/m);
    const { watch, changes } = JSON.parse(
      (await run('saved-query', 'changes', 'All users', '--json')).stdout,
    );
    expect([watch.name, watch.found_at, changes]).toEqual(['All users', null, []]);
    expect((await run('saved-query', 'changes', 'All users')).code).toBe(0);
    expect((await run('saved-query', 'share', 'All users', '--everyone')).code).toBe(0);
    expect((await run('saved-queries', '--scope', 'public')).stdout).toContain('All users');
    expect((await run('saved-query', 'unshare', 'All users')).code).toBe(0);
    expect((await run('saved-queries', '--scope', 'public')).stdout).not.toContain('All users');
    expect((await run('saved-query', 'share', 'All users', '--users', 'no@one.example')).stderr).toContain(
      'user no@one.example not found',
    );
    expect((await run('saved-query', 'unwatch', 'All users')).code).toBe(0);
    expect((await run('saved-query', 'changes', 'All users')).stderr).toContain('the query is not watched');
    expect((await run('saved-query', 'remove', 'All users')).code).toBe(0);
    expect((await run('saved-queries')).stderr).toContain('No saved queries');
  });

  it('sees the planted path, by ids and by names', async () => {
    const byId = await run('path', forest.route.from, forest.route.to, '--json');
    expect(byId.code).toBe(0);
    const answer = JSON.parse(byId.stdout);
    const { from, to, fromName, toName } = forest.route;
    expect(answer).toMatchObject({ from, to });
    expect(answer.length).toBeGreaterThan(1);
    const byName = await run('path', fromName.toLowerCase(), toName);
    expect(byName.code).toBe(0);
    expect(byName.stdout).toContain(`${answer.length} steps`);
    expect(byName.stdout).toContain('is a member of');
  });

  it('sees that no path exists, or that a name is ambiguous', async () => {
    const back = await run('path', forest.route.to, forest.route.from, '--only', 'MemberOf');
    expect(back).toMatchObject({ code: 1, stdout: '' });
    expect(back.stderr).toMatch(/^There is no path from DOMAIN ADMINS@AURORA\.EXAMPLE to /);
    expect((await run('path', 'domain admins@', forest.route.to)).stderr).toContain('; similar names: ');
    expect((await run('path', 'nobody at all', forest.route.to)).stderr).toBe(
      'clew: no object is named nobody at all\n',
    );
  });

  it('gets the same answers after the same archive, except for the times when objects were last seen', async () => {
    const questions = [
      ['status', '--json'],
      ['search', 'admin', '--json', '--limit', '500'],
      ['path', forest.route.from, forest.route.to, '--json'],
    ];
    const ask = () =>
      Promise.all(
        questions.map(async (question) =>
          (await run(...question)).stdout.replace(/"last[Ss]een": "[^"]*"/g, ''),
        ),
      );
    const before = await ask();
    expect((await run('ingest', archive)).code).toBe(0);
    expect(await ask()).toEqual(before);
  });

  it('exports the graph to a file, completely or in part, or through a pipe', async () => {
    const written = await run('export', '--out', 'graph.json');
    expect(written).toMatchObject({ code: 0, stdout: '' });
    const text = await readFile(join(directory, 'graph.json'), 'utf8');
    const { graph } = JSON.parse(text);
    const expected = countsOf(forest);
    const collected = (facts: { derived?: boolean }[]) => facts.filter(({ derived }) => !derived).length;
    expect([collected(graph.nodes), collected(graph.edges)]).toEqual([expected.nodes, expected.edges]);
    expect((await run('export', '--out', '-')).stdout).toBe(text);
    const users = JSON.parse((await run('export', '--out', '-', '--kind', 'User,MemberOf')).stdout).graph;
    expect(users.nodes.every(({ kinds }: { kinds: string[] }) => kinds.includes('User'))).toBe(true);
    const refused = await run('export', '--out', 'none.json', '--kind', 'Nonsense');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('names an unknown kind')]);
    expect((await readdir(directory)).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  it('sees which file is damaged, and the others are ingested', async () => {
    const whole = await readFile(archive);
    await writeFile(join(directory, 'truncated.zip'), whole.subarray(0, whole.length / 2));
    await writeFile(join(directory, 'broken.json'), '{"data":[{"Properties":{"name":"X"');
    const good = { data: [], meta: { methods: 0x7ffff, type: 'users', count: 0, version: 6 } };
    await writeFile(join(directory, 'good.json'), JSON.stringify(good));
    const { code, stdout, stderr } = await run('ingest', 'truncated.zip', 'broken.json', 'good.json');
    expect(code).toBe(1);
    expect(stdout).toContain('✗ broken.json\n    file is not valid json: it ends too early: ');
    expect(stdout).toMatch(/✗ truncated\.zip\n {4}\S.+\n/);
    expect(stdout).toMatch(/✓ \d+ other files? without errors or warnings\n/);
    expect(stdout).toContain('partially complete');
    expect(stdout + stderr).not.toMatch(/\bat .*\.ts:\d+/);
  });

  it('sees that a file is missing, and nothing is sent', async () => {
    const { code, stderr } = await run('ingest', 'missing.zip');
    expect(code).toBe(1);
    expect(stderr).toBe(`clew: ${join(directory, 'missing.zip')}: no such file or directory\n`);
  });

  it('keeps custom checks as files', async () => {
    const checks = join(directory, 'checks');
    await mkdir(checks);
    const check = (name: unknown) => ({
      ...{ name, title: 'Domains', severity: 'low', cypher: 'MATCH (d:Domain) RETURN d' },
      category: 'Custom Checks',
    });
    const file = (name: string) => join(checks, `${name}.json`);
    await writeFile(file('a'), JSON.stringify(check('Check_Domains')));
    for (const [name, said] of [
      ['../Check_Up', 'the name must have up to 100 letters, digits and underscores'],
      [7, 'the name must have'],
      [undefined, 'has no name'],
      ['Check_Domains', `has the same name as ${file('a')}`],
    ] as const) {
      await writeFile(file('b'), JSON.stringify(check(name)));
      const saved = await run('check', 'save', 'checks');
      expect(saved.code).toBe(2);
      expect(saved.stderr).toContain(`${file('b')}: ${said}`);
    }
    // Names are checked before anything is stored.
    expect(JSON.parse((await run('checks', '--json')).stdout)).toEqual([]);
    await rm(file('b'));
    expect((await run('check', 'save', 'checks')).stdout).toBe('Check_Domains  Domains\n');
    expect((await run('check', 'export', 'exported')).code).toBe(0);
    expect(await readdir(join(directory, 'exported'))).toEqual(['Check_Domains.json']);
    const exported = await readFile(join(directory, 'exported', 'Check_Domains.json'), 'utf8');
    expect(JSON.parse(exported)).toMatchObject(check('Check_Domains'));
    expect((await run('check', 'save', 'exported')).code).toBe(0);
    expect((await run('check', 'show', 'Check_Domains')).stdout).toBe(exported);
    expect((await run('check', 'remove', 'Check_Domains')).code).toBe(0);
  });

  it('writes no file outside the directory, whatever names of checks a service returns', async () => {
    const check = { name: 'Check_X', title: 'X', severity: 'low', cypher: 'MATCH (d:Domain) RETURN d' };
    await writeFile(join(directory, 'x.json'), JSON.stringify(check));
    expect((await run('check', 'save', 'x.json')).code).toBe(0);
    const [stored] = JSON.parse((await run('checks', '--json')).stdout);
    expect((await run('check', 'remove', 'Check_X')).code).toBe(0);
    const data = [{ ...stored, name: '../../escaped' }];
    const server = createServer((_, answer) => {
      answer
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ count: 1, skip: 0, limit: 100, data }));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const variables = { CLEW_TOKEN_ID: randomUUID(), CLEW_TOKEN_KEY: 'a2V5' };
      const ran = await runCommand({ url, home, directory, variables }, ['check', 'export', 'deep/deeper']);
      expect(ran).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('which is not a valid file name'),
      });
      expect(existsSync(join(directory, 'escaped.json'))).toBe(false);
      expect(existsSync(join(directory, 'deep'))).toBe(false);
    } finally {
      server.close();
    }
  });

  it('signs out, and the session ends', async () => {
    const session = await readFile(join(home, '.config', 'clew', 'session.json'), 'utf8');
    expect((await run('logout')).code).toBe(0);
    expect(await readdir(join(home, '.config', 'clew'))).toEqual([]);
    await writeFile(join(home, '.config', 'clew', 'session.json'), session);
    const { code, stderr } = await run('status');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^clew: not signed in, or the session has expired: /);
  });

  it('cannot start a second service on the same data', async () => {
    await expect(startServe(join(directory, 'data'))).rejects.toThrow(/clew serve ended: clew: /);
  });

  it('cancels and retries jobs only if possible, and sees the reason otherwise', async () => {
    await run('login');
    expect(await run('cancel', '1')).toMatchObject({
      code: 1,
      stderr: 'clew: the service says: job must be running or being ingested to be canceled\n',
    });
    expect((await run('retry', '1')).stderr).toMatch(
      /^clew: the service says: only a job whose ingest failed/,
    );
    expect((await run('retry', '4711')).stderr).toMatch(/^clew: .*not found/);
    expect((await run('cancel', 'x')).code).toBe(2);
  });

  it('learns that a job continues after an interruption of ingest, also of compressed files', async () => {
    const node = { id: 'LATE', kinds: ['Late'], properties: { name: 'late' } };
    await mkdir(join(directory, 'run', 'nested'), { recursive: true });
    await writeFile(
      join(directory, 'run', 'late.json.gz'),
      gzipSync(JSON.stringify({ graph: { nodes: [node] } })),
    );
    await using lock = new AsyncDisposableStack();
    const holding = await holdIngest(join(directory, 'data'), lock);
    const interruption = new AbortController();
    const ended = runCommand({ url: service.url, home, directory, signal: interruption.signal }, [
      ...['ingest', 'run'],
    ]);
    const job = await vi.waitUntil(
      async () => {
        const { rows } = await holding.query(
          `select job.id from upload_job job join upload_file file on file.job_id = job.id
           where file.name = 'late.json.gz' and job.status = ${JOB_STATUS.ingesting}`,
        );
        return rows[0]?.id as number | undefined;
      },
      { timeout: 60_000 },
    );
    interruption.abort(new Error('interrupted by SIGINT'));
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`not uploaded from ${join(directory, 'run')}: nested\n`);
    expect(stderr).toContain(
      `Job ${job} continues on the service: "clew status" shows it, "clew cancel ${job}" stops it.\n`,
    );
    await lock.disposeAsync();
    const isDone = async () => new RegExp(`^ *${job} .* complete `, 'm').test((await run('status')).stdout);
    await vi.waitUntil(isDone, { timeout: 60_000 });
    expect((await run('search', 'LATE')).stdout).toContain('LATE');
  });

  it('regains access after losing the password, with and without a running service', async () => {
    const variables = { CLEW_DATA_DIR: join(directory, 'data') };
    const reset = (name: string, secret: string, ...options: string[]) =>
      runCommand({ url: service.url, home, directory, variables, secret }, [
        ...['admin', 'reset-password', name],
        ...options,
      ]);
    expect(await reset('admin', 'short')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/at least 12 characters/),
    });
    expect(await reset('eve', 'words that are long enough')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no user eve; available users: admin/),
    });
    expect(await reset('admin', 'the first new password')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/password of admin is changed, and all sessions of the user are ended/),
    });
    expect((await run('login')).code).toBe(1);
    expect((await clew(service.url, ['login'], home, 'the first new password')).code).toBe(0);
    expect(await service.stop()).toBe(0);
    const generated = await reset('admin', '', '--generate');
    expect(generated.stdout).toMatch(/^[A-Za-z2-9]{24}\n$/);
    service = await startServe(join(directory, 'data'));
    expect((await clew(service.url, ['login'], home, generated.stdout.trim())).code).toBe(0);
  });

  it('finds everything after a restart', async () => {
    const { stdout } = await run('path', forest.route.from, forest.route.to);
    expect(stdout).toContain('DOMAIN ADMINS@AURORA.EXAMPLE');
  });
});

describe('the sample collection', PATIENCE, () => {
  it('has 1495 nodes and 12,670 edges directly after ingest', async () => {
    const service = await serveHere(join(directory, 'sample'), {}, { makesPlans: false });
    try {
      const home = join(directory, 'sample');
      const run = (...args: string[]) => clew(service.url, args, home);
      expect((await run('login')).code).toBe(0);
      const ingest = await run('ingest', SAMPLE_FILE, '--json');
      expect(JSON.parse(ingest.stdout)).toMatchObject({ total_files: 31, failed_files: 0 });
      const counts = JSON.parse((await run('status', '--json')).stdout);
      expect(counts).toMatchObject({ total_nodes: 1495, total_edges: 12_670 });
      expect(counts.nodes).toMatchObject({
        User: 99,
        Group: 219,
        Computer: 34,
        ADLocalGroup: 33,
        Base: 1495,
      });
      expect(counts.edges).toMatchObject({ MemberOf: 292, GenericAll: 3292, HasSession: 29, Contains: 1416 });
    } finally {
      await service.stop();
    }
  });
});

describe('the command itself', PATIENCE, () => {
  it('refuses an invalid command line with exit code 2', async () => {
    for (const args of [['nonsense'], ['search'], ['generate', '--out', 'x', '--users', '-3']]) {
      expect((await clew('http://127.0.0.1:9', args, directory)).code).toBe(2);
    }
    expect((await clew('not an address', ['status'], directory)).code).toBe(2);
  });

  it('shows help and succeeds', async () => {
    const { code, stdout } = await runClew(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'serve',
      'ingest',
      'status',
      'search',
      'path',
      'login',
      'logout',
      'generate',
      'demo',
    ]) {
      expect(stdout).toContain(`\n  ${command}`);
    }
  });

  it('reports every configuration error on a line', async () => {
    const { code, stderr } = await runClew(['serve'], { variables: { CLEW_PORT: 'x', CLEW_EDITION: 'y' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^clew: CLEW_PORT must be .*\nclew: CLEW_EDITION must be .*\nclew: the configuration is invalid/,
    );
  });

  it('generates a forest in the current directory, and reports the result', async () => {
    const { code, stdout } = await clew(
      '',
      ['generate', '--users', '30', '--out', 'made', '--zip'],
      directory,
    );
    expect(code).toBe(0);
    expect(await readdir(join(directory, 'made'))).toEqual(['clew-forest-30-1.zip', 'extensions']);
    expect(await readdir(join(directory, 'made', 'extensions'))).toEqual([
      'desk.json',
      'gate.json',
      'hub.json',
    ]);
    expect(stdout).toMatch(/^OBJECTS +AURORA\.EXAMPLE +SOUTH\.AURORA\.EXAMPLE +BOREAL\.EXAMPLE\b/);
    expect(stdout).toContain('users');
    expect(stdout).toMatch(
      /: clew path S-1-5-21-\S+ S-1-5-21-\S+-512\nIt leads from ADA\.ABEL@AURORA\.EXAMPLE to DOMAIN ADMINS@AURORA\.EXAMPLE\.\n/,
    );
  });

  it('generates the organization without its flaws, and refuses other values of the option', async () => {
    const made = await clew(
      '',
      ['generate', '--users', '30', '--out', 'clean', '--flaws', 'none'],
      directory,
    );
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('No flaws are planted');
    expect(made.stdout).not.toContain('clew path');
    const refused = await clew('', ['generate', '--out', 'other', '--flaws', 'few'], directory);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/'few' is invalid\. Allowed choices are all, none\./);
  });

  it('runs a demo and leaves nothing behind', async () => {
    // If root starts it, the database runs as another user, who needs access.
    const scratch = join(directory, 'scratch');
    await mkdir(scratch);
    for (const path of [directory, scratch]) await chmod(path, 0o755);
    const { code, stdout, stderr } = await runClew(['demo', '--users', '40', '--exit'], {
      variables: { TMPDIR: scratch },
    });
    expect(stderr).toBe('Generating a synthetic organization\nUploading 1 file\nIngesting\nAnalyzing\n');
    expect(stdout).toContain('AURORA.EXAMPLE');
    expect(stdout).toContain('DOMAIN ADMINS@AURORA.EXAMPLE');
    // A path from a phishable account over a workflow to Tier Zero.
    const steps = [
      'Gate_User',
      'Hub_User',
      'Hub_Team',
      'Hub_Repository',
      'Hub_Workflow',
      'Hub_Secret',
      'User',
      'Group',
    ];
    // The platforms define the phrases of their relationships.
    expect(stdout).toContain('is a credential of\n');
    expect(stdout).not.toMatch(/[│|] (?:Gate|Hub|Desk)_/);
    expect(stdout).toMatch(new RegExp(`easily phished.*\\n\\n${steps.join(' [^]*?\\n')} .* Tier Zero`));
    expect(stdout).toMatch(/\nThe most urgent of \d+ findings:\n\n *ID {2}SEVERITY/);
    expect(stdout).toMatch(/"clew finding \d+" shows the first/);
    expect(stdout).toMatch(/\nAURORA\.EXAMPLE\n {2}Exposure of Tier Zero/);
    expect(stdout).toMatch(
      /The service is at http:\/\/127\.0\.0\.1:\d+\n {2}name {6}admin\n {2}password {2}\S+\n$/,
    );
    expect(code).toBe(0);
    expect(await readdir(scratch)).toEqual([]);
  });
});
