/** Tests `clew extension`: a bundle from its author's folder, its check and dry run, its installation and removal. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipFiles } from '@clew/service';
import { type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const EXAMPLES = new URL('../../../examples/extensions/', import.meta.url).pathname;
const TICKETS = join(EXAMPLES, 'tickets');
const DATA = join(EXAMPLES, 'tickets-data.json');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-extensions-'));
  await writeFile(join(directory, 'tickets.zip'), await archive());
  const broken = join(directory, 'broken');
  await cp(TICKETS, broken, { recursive: true });
  for (let at = 0; at < 30; at++)
    await writeFile(join(broken, 'saved_searches', `x${at}.json`), JSON.stringify({ name: `N${at}` }));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Nothing listens there, so these commands must not need a service. */
const offline = (...args: string[]) =>
  runCommand({ url: 'http://127.0.0.1:9', home: directory, directory }, ['extension', ...args]);

async function archive(): Promise<Buffer> {
  const entries = await readdir(TICKETS, { recursive: true, withFileTypes: true });
  return zipFiles(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => ({
          name: join(parentPath, name).slice(TICKETS.length + 1),
          bytes: await readFile(join(parentPath, name)),
        })),
    ),
  );
}

describe('test', () => {
  it('runs the tests of a bundle, and shows what a failing one found instead', async () => {
    const passing = await offline('test', TICKETS);
    expect([passing.code, passing.stderr, passing.stdout.trim().split('\n')]).toEqual([
      0,
      '',
      [
        'passes  Shared agents and automations without an owner are found',
        'passes  Who approves requests may run the automation of the queue',
        'passes  A user of the directory is the agent with the same name to sign in',
        '3 tests, none fails',
      ],
    ]);
    const changed = join(directory, 'changed');
    await cp(TICKETS, changed, { recursive: true });
    const wrong = {
      ...{ name: 'Wrong', data: 'samples/desk.json' },
      expect: {
        node_findings: { Tick_SharedAgents: 2, Tick_AutomationsWithoutOwner: 1 },
        derived_relationships: { Tick_MayRun: ['TICK:ANN -> TICK:GRANT'] },
      },
    };
    await writeFile(join(changed, 'tests', 'wrong.json'), JSON.stringify(wrong));
    const failing = await offline('test', 'changed', '--only', 'wrong');
    expect([failing.code, failing.stdout.trim().split('\n')]).toEqual([
      1,
      [
        'FAILS   Wrong',
        '        derived_relationships Tick_MayRun: expected TICK:ANN -> TICK:GRANT, found 1: ON DUTY -> GRANT ACCESS (TICK:DUTY -> TICK:GRANT)',
        '        node_findings Tick_SharedAgents: expected 2, found 1: ON DUTY (TICK:DUTY)',
        '1 test, 1 of them failed',
      ],
    ]);
    const none = await offline('test', join(TICKETS, 'schema.json'));
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('has no tests')]);
  }, 300_000);
});

describe('check, without a service', () => {
  it('accepts a folder, an archive and a definition, and reports the coverage of data', async () => {
    const checked = await offline('check', TICKETS, '--data', DATA, '--json');
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    const found = JSON.parse(checked.stdout);
    expect(found).toMatchObject({
      ...{ faults: [], name: 'Ticket system', version: 'v1.0.0', namespace: 'Tick' },
      parts: { node_kinds: 4, saved_searches: 2, node_findings: 2, repairs: 2, identities: 1 },
      data: { nodes_without_environment: 0, other_sources: [] },
    });
    expect(found.data.nodes).toContainEqual({ kind: 'Tick_Agent', count: 2, is_declared: true });
    expect(found.data.relationships).toContainEqual({
      ...{ kind: 'Tick_Edits', count: 2, is_declared: true, is_traversable: true },
    });
    expect(found.data.kinds_without_data).toEqual(['Tick_RunsAs', 'Tick_MayRun', 'Tick_SameAs']);
    for (const path of ['tickets.zip', join(TICKETS, 'schema.json')])
      expect((await offline('check', path)).stdout).toMatch(/^Ticket system v1\.0\.0 has no errors\n/);
    const text = await offline('check', TICKETS, '--data', DATA);
    expect(text.stdout).toContain('2 relationships would become steps of attack paths');
  });

  it('reports all errors with their files, and fails', async () => {
    const { code, stdout, stderr } = await offline('check', 'broken');
    expect([code, stdout]).toEqual([1, '']);
    const lines = stderr.trim().split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([31, 'clew: broken has 30 errors']);
    expect(lines).toContain('saved_searches/x7.json#/query: is missing');
    const json = await offline('check', 'broken', '--json');
    expect([json.code, JSON.parse(json.stdout).faults.length]).toEqual([1, 30]);
  });

  it('compiles its texts: unknown names are warnings, and errors in strict mode', async () => {
    const search = { name: 'S', query: 'MATCH (n:Usr) WHERE n.name = 1 RETURN n' };
    const { schema, node_kinds } = JSON.parse(await readFile(join(TICKETS, 'schema.json'), 'utf8'));
    await writeFile(
      join(directory, 'typo.json'),
      JSON.stringify({ schema, node_kinds, saved_searches: [search] }),
    );
    const { code, stderr } = await offline('check', 'typo.json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('`Usr`: did you mean User?')]);
    const strict = await offline('check', 'typo.json', '--strict');
    expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('typo.json has 1 warning')]);
    const check = { name: 'Tick_X', title: 'X', severity: 'low', cypher: 'MATCH (n:Tick_Agnt) RETURN n' };
    await writeFile(
      join(directory, 'wrong.json'),
      JSON.stringify({ schema, node_kinds, node_findings: [check] }),
    );
    const wrong = await offline('check', 'wrong.json');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('did you mean Tick_Agent?')]);
  });

  it('reports kinds without a definition, and other extensions that are referenced', async () => {
    const payload = {
      metadata: { source_kind: 'OtherBase' },
      graph: {
        nodes: [{ id: 'a', kinds: ['Tick_Agent', 'Other'], properties: {} }],
        edges: [{ kind: 'Strange', start: { value: 'a' }, end: { value: 'a' } }],
      },
    };
    await writeFile(join(directory, 'other.json'), JSON.stringify(payload));
    const { stdout } = await offline('check', TICKETS, '--data', 'other.json', '--json');
    expect(JSON.parse(stdout).data).toMatchObject({
      nodes: [
        { kind: 'Other', count: 1, is_declared: false },
        { kind: 'Tick_Agent', count: 1, is_declared: true },
      ],
      relationships: [{ kind: 'Strange', is_declared: false, is_traversable: false }],
      ...{ nodes_without_environment: 1, other_sources: ['OtherBase'] },
    });
    const second = {
      schema: { name: 'x', display_name: 'X', version: 'v1.0.0', namespace: 'X' },
      node_kinds: [{ name: 'X_User', display_name: 'User' }],
      relationship_findings: [
        { name: 'X_Found', environment_kind: 'Tick_Desk', relationship_kind: 'Tick_Edits' },
      ],
      privilege_zone_rules: [{ name: 'R', cypher: 'MATCH (n:X_User) RETURN n', zone: 'Servers' }],
    };
    await writeFile(join(directory, 'second.json'), JSON.stringify(second));
    expect((await offline('check', 'second.json')).stderr.split('\n')).toHaveLength(5);
    expect((await offline('check', 'second.json', '--with', TICKETS, '--zone', 'Servers')).code).toBe(0);
  });

  it('does not follow links', async () => {
    const linked = join(directory, 'linked');
    await cp(TICKETS, linked, { recursive: true });
    await symlink('/etc/passwd', join(linked, 'checks', 'link.json'));
    const { code, stderr } = await offline('check', 'linked');
    expect([code, stderr]).toEqual([1, expect.stringContaining('link.json: is a symbolic link')]);
  });

  it.each([
    ['a file that is not there', 'nothing.json', /cannot read nothing\.json: no such file or directory/],
    ['text', 'text.json', /is not JSON/],
  ])('fails on %s', async (_, path, message) => {
    await writeFile(join(directory, 'text.json'), 'hello');
    const { code, stderr } = await offline('check', path);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
  });
});

describe('with a service', () => {
  let service: ServiceHere;
  const run = (...args: string[]) => runCommand({ url: service.url, home: directory, directory }, args);

  beforeAll(async () => {
    service = await serveHere(directory, {}, { makesPlans: false });
    expect((await run('login')).code).toBe(0);
    const ingested = await run('ingest', DATA);
    expect([ingested.code, ingested.stderr]).toEqual([0, ingested.stderr]);
  }, 200_000);
  afterAll(() => service?.stop());

  it('previews a bundle, installs it, shows it and removes it', async () => {
    const dry = await run('extension', 'install', TICKETS, '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toContain('Ticket system v1.0.0 is not installed yet\n');
    expect(dry.stdout).toContain(
      'saved_searches: + Paths of agents into Tier Zero, Automations and their accounts',
    );
    expect(dry.stdout).toContain('Tick_Edits: 2 relationships become traversable\n');
    expect(dry.stdout).toContain('Tick_MayRun: 1 relationship becomes traversable\n');
    expect(dry.stdout).toContain('Tick_MayRun: 1 relationship derived\n');
    expect(dry.stdout).toMatch(/Tier Zero: \+1 -0, \d+ members? afterward \(DEPLOY\)/);
    expect((await run('extension', 'list')).stdout).not.toContain('Ticket system');

    const made = await run('extension', 'install', 'tickets.zip', '--json');
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { name: 'Ticket system' }]);
    expect((await run('extension', 'list')).stdout).toMatch(/Ticket system +Tickets +v1\.0\.0 +Tick/);
    const shown = await run('extension', 'show', 'tick', '--json');
    const { relationship_kinds, derived } = JSON.parse(shown.stdout);
    expect([relationship_kinds.length, derived.map(({ kind }: { kind: string }) => kind)]).toEqual([
      8,
      ['Tick_MayRun', 'Tick_SameAs'],
    ]);
    expect((await run('extension', 'show', 'Ticket system')).stdout).toMatch(/Tick_Edits +traversable/);

    // Users see the phrase of its definition, programs the name of the kind.
    const path = ['path', 'TICK:ANN', 'TICK:DEPLOY', '--only', 'Tick_Edits'] as const;
    expect((await run(...path)).stdout).toContain('│ can change\n');
    expect((await run(...path, '--json')).stdout).toContain('"Tick_Edits"');

    const again = await run('extension', 'install', TICKETS, '--dry-run');
    expect(again.stdout).toContain('The definition does not change.\n');
    expect(dry.stdout).not.toContain('The definition does not change');

    const { id } = JSON.parse(made.stdout);
    for (const name of ['Tickets', 'TICK', String(id)])
      expect((await run('extension', 'show', name)).stdout).toMatch(
        /^Ticket system v1\.0\.0, namespace Tick\n/,
      );

    const faulty = await run('extension', 'install', 'broken');
    expect([faulty.code, faulty.stderr.match(/is missing/g)?.length]).toEqual([1, 30]);

    expect((await run('extension', 'remove', 'tickets')).stdout).toBe(
      'Ticket system is removed; its data stays\n',
    );
    expect((await run('extension', 'remove', 'Ticket system')).code).toBe(1);
  }, 200_000);

  it("writes an author's first file from stored data, which passes its own check", async () => {
    const { code, stdout, stderr } = await run(
      ...['extension', 'scaffold', '--from-data', 'TickBase', '--out', 'first.json', '--json'],
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('assumed to be traversable')]);
    const definition = JSON.parse(stdout);
    expect(definition).toMatchObject({
      schema: { name: 'Tick', namespace: 'Tick', version: 'v0.1.0' },
      environments: [
        { environment_kind: 'Tick_Desk', source_kind: 'TickBase', principal_kinds: ['Tick_Agent'] },
      ],
    });
    expect(definition.node_kinds).toContainEqual({
      ...{ name: 'Tick_Agent', display_name: 'Agent', description: '2 in the data.' },
      ...{ is_display_kind: true, icon: 'user', color: '#17A673' },
    });
    expect(definition.relationship_kinds).toContainEqual({
      ...{ name: 'Tick_Edits', is_traversable: true },
      description: '2 in the data: Tick_Agent to Tick_Automation.',
    });
    const contains = definition.relationship_kinds.find(
      ({ name }: { name: string }) => name === 'Tick_Contains',
    );
    expect(contains.is_traversable).toBe(false);
    const checked = await offline('check', 'first.json', '--data', DATA, '--json');
    expect([checked.code, JSON.parse(checked.stdout).faults]).toEqual([0, []]);
    // It never overwrites a file.
    const again = await run('extension', 'scaffold', '--from-data', 'TickBase', '--out', 'first.json');
    expect([again.code, again.stderr]).toEqual([1, 'clew: cannot write first.json: already exists\n']);
    expect((await run('extension', 'scaffold', '--from-data', 'Nothing')).stderr).toContain(
      'there are no nodes from the source Nothing; the sources are TickBase\n',
    );
  }, 200_000);
});
