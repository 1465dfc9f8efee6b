/**
 * Runs every client behind a proxy that corrupts the answers of the real service. Each run ends in time and bounded memory, without a
 * program error; no alert is closed that should stay open; and clients recover when answers are correct again. Each run has a seed, which a
 * failure reports.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import { createMcpServer } from '@clew/mcp';
import { connectedClient, newClient, textOf } from '@clew/mcp/testing';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { hostileClient, known, SDK_CALLS } from '../test/hostileSdkCalls.ts';
import { FILLING, MUTATION_NAMES, type MutatingProxy, startMutatingProxy } from '../test/mutatingProxy.ts';
import { testScreen } from '../test/testScreen.ts';
import { runCommandLine } from './program/program.ts';

const RUNS = 16 * Number(process.env.CLEW_TEST_RUNS ?? 1);
const IS_NIGHTLY = RUNS > 16;
const FIRST_SEED = Number(process.env.CLEW_MUTATED_SEED ?? 1);
/** Time limit for commands with many requests, each with a limit of two seconds and some retries, on a busy machine. */
const MAX_RUN_MS = 90_000;
/** A process that reads an infinite answer completely would use gigabytes; garbage collection may be late on a busy machine. */
const MAX_RESIDENT_MB = 400;
/** Messages of V8 and fetch for a value of an unexpected type. */
const PROGRAM_FAULT =
  /unexpected:|TypeError|RangeError|is not (?:a function|iterable|defined)|Cannot read propert|of undefined|of null|circular|Maximum call stack|Invalid (?:time|array|string|count)/;

let directory: string;
let service: ServiceHere;
let proxy: MutatingProxy;
let token: { readonly tokenId: string; readonly tokenKey: string };
/** A finding about a relationship between two objects, for commands that need one. */
let finding: { id: number; finding: string; source_principal_id: string; target_principal_id: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-hostile-answers-'));
  service = await serveHere(directory);
  proxy = await startMutatingProxy(service.url);
  const client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 40, seed: 11, domains: 1 }), archive);
  await client.waitForJob((await client.uploadFiles([archive])).jobId);
  const { id } = (await client.call('GetSelf')).data;
  const body = { user_id: id, token_name: 'x' };
  const made = (await client.call('CreateAuthToken', { body })).data as unknown as {
    id: string;
    key: string;
  };
  token = { tokenId: made.id, tokenKey: made.key };
  const query = { finding: 'eq:T0GenericAll', limit: 1 };
  const { data } = await client.call('ListAttackPathFindings', { query } as never);
  finding = (data as unknown as (typeof finding)[])[0] as typeof finding;
  // On a busy machine, the plan takes longer than the default wait of a request.
  await client.plan({}, { wait: 120 });
  for (const name of ['connector', 'recovers'])
    await writeFile(
      join(directory, `${name}.json`),
      JSON.stringify({
        ...{ server: proxy.url, ...token, selectedZones: 'All', state: { directory: `${name}-state` } },
        platform: { type: 'jsonl', directory: `${name}-out` },
      }),
    );
}, 120_000);
afterAll(async () => {
  proxy.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  proxy.mode = 'whole';
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function command(args: readonly string[], columns?: number): Promise<Ran> {
  const plain = { LANG: 'C.UTF-8', NO_COLOR: '1' };
  const out = testScreen({ isTty: columns !== undefined, columns, env: plain });
  const err = testScreen({ isTty: columns !== undefined, columns, env: { ...plain, CI: '1' } });
  const code = await runCommandLine(
    {
      env: {
        ...{ HOME: join(directory, 'home'), CLEW_URL: proxy.url, CLEW_TIMEOUT: '2' },
        ...{ CLEW_TOKEN_ID: token.tokenId, CLEW_TOKEN_KEY: token.tokenKey },
      },
      ...{ out: out.screen, err: err.screen, directory },
      signal: AbortSignal.timeout(MAX_RUN_MS),
      askSecret: async () => ADMIN_PASSWORD,
      withQuestions: () => Promise.reject(new Error('nothing is asked here')),
      readInput: async () => '',
    },
    args,
  );
  return { code, out: out.text(), err: err.text() };
}

const ends = (): [string, string] => [finding.source_principal_id, finding.target_principal_id];
/** Read-only commands of every kind. */
const COMMANDS: readonly (() => readonly string[])[] = [
  () => ['status'],
  () => ['extension', 'list'],
  () => ['extension', 'show', '1'],
  () => ['checks'],
  () => ['search', 'ADMIN'],
  () => ['query', 'MATCH (n:Group) RETURN n.name, n LIMIT 5'],
  () => ['query', 'MATCH p=(:User)-[:MemberOf]->(:Group) RETURN p LIMIT 3'],
  () => ['questions'],
  () => ['diff'],
  () => ['path', ...ends()],
  () => ['findings'],
  () => ['findings', '--by', 'repair'],
  () => ['finding', String(finding.id)],
  () => ['posture'],
  () => ['plan', '--wait', '2'],
  () => ['plan', 'choke-points'],
  () => ['plans'],
  () => ['plan', 'simulate', '--disable', finding.source_principal_id],
  () => ['report', '--output', join(directory, 'report.html'), '--force'],
  () => ['export', '--kind', 'Domain', '--output', join(directory, 'graph.json')],
  () => ['clients'],
  () => ['schedule', 'list'],
  () => ['users'],
  () => ['sessions'],
  () => ['tokens'],
  () => ['sso'],
  () => ['webhooks'],
  () => ['action', 'ping'],
  () => ['action', 'doesPathExist', '--event-details', ends().join(' -> ')],
];

const TOOL_INPUTS: readonly (() => [string, object])[] = [
  () => ['ping', {}],
  () => ['list_findings', { limit: 5 }],
  () => ['get_finding', { id: finding.id }],
  () => ['search_objects', { text: 'ADMIN' }],
  () => ['get_object', { object_id: finding.target_principal_id }],
  () => ['find_path', { from: ends()[0], to: ends()[1] }],
  () => ['who_can_reach', { object: ends()[1] }],
  () => ['list_alternative_paths', { from: ends()[0], to: ends()[1], limit: 2 }],
  () => ['explain_no_path', { from: ends()[1], to: ends()[0] }],
  () => ['get_posture', {}],
  () => ['query_graph', { query: 'MATCH (n:Domain) RETURN n' }],
  () => ['list_environments', {}],
  () => ['get_plan', { limit: 1 }],
  () => ['list_choke_points', { limit: 2 }],
  () => ['what_if', { disable: [finding.source_principal_id] }],
  () => ['get_differences', { since: '2020-01-01T00:00:00Z' }],
  () => ['list_changes', { since: '2020-01-01T00:00:00Z', limit: 3 }],
  () => ['does_path_exist', { event_details: ends().join(' -> ') }],
  () => ['fetch_assets', { object_ids: finding.target_principal_id }],
];

const sdkClient = (): ClewClient => hostileClient(proxy.url, token);

/** One run of a client, chosen by its number. @returns its output */
async function run(number: number): Promise<string> {
  const at = Math.floor(number / 4);
  switch (number % 4) {
    case 0: {
      const args = COMMANDS[at % COMMANDS.length]?.() ?? [];
      const { code, out, err } = await command(args, at % 2 === 0 ? 100 : undefined);
      expect([0, 1, 2, 3], `${args.join(' ')}: ${err}`).toContain(code);
      return `${args.join(' ')}: ${err}\n${out.slice(0, 300)}`;
    }
    case 1: {
      const { err, out } = await command(['connector', 'run', '--config', 'connector.json']);
      expect(await closed('connector'), `closed falsely: ${err}`).toEqual([]);
      return `connector: ${err}\n${out}`;
    }
    case 2: {
      const call = SDK_CALLS[at % SDK_CALLS.length];
      await call?.(sdkClient(), ends()).catch(known);
      return `sdk ${call}`;
    }
    default: {
      const [name, input] = TOOL_INPUTS[at % TOOL_INPUTS.length]?.() ?? ['ping', {}];
      return `mcp ${name}: ${(await askTool(name, input)).slice(0, 300)}`;
    }
  }
}

async function askTool(name: string, input: object): Promise<string> {
  const client = await connectedClient(() => createMcpServer(sdkClient(), 'test', { actions: true }), 'auto');
  try {
    // The official client refuses answers that do not match the schema of the tool.
    await client.listTools();
    return textOf(await client.callTool({ name, arguments: input as Record<string, unknown> }));
  } finally {
    await client.close();
  }
}

interface Line {
  readonly FindingKey: string;
  readonly Change: string;
  readonly attack_id: string;
  readonly EventId: string;
}

async function linesOf(name: string): Promise<Line[]> {
  const text = await readFile(join(directory, `${name}-out`, 'findings.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** No finding ends here, so every reported end is wrong. */
const closed = async (name: string) =>
  (await linesOf(name))
    .filter(({ Change }) => Change === 'close')
    .map(({ attack_id, FindingKey }) => `${attack_id} ${FindingKey}`);

async function openIn(name: string): Promise<string[]> {
  const open = new Map<string, string>();
  for (const { FindingKey, Change, attack_id } of await linesOf(name))
    if (Change === 'close') open.delete(FindingKey);
    else open.set(FindingKey, attack_id);
  return [...open.values()].map(String).sort();
}

async function activeIds(): Promise<string[]> {
  const client = new ClewClient({ url: service.url, credentials: token });
  const ids: string[] = [];
  const query = { limit: 1000, status: 'eq:active', part_of: 'neq:-' };
  for await (const row of client.entries('ListAttackPathFindings', { query } as never))
    ids.push(String((row as { id: number }).id));
  return ids.sort();
}

it('ends in time, without a program error or a false end, and recovers', async () => {
  expect((await command(['connector', 'run', '--config', 'connector.json'])).out).toMatch(/^complete/);
  proxy.mode = MUTATION_NAMES.filter((name) => RUNS > 100 || !/^(?:slow|endless early hints)$/.test(name));
  for (let number = 0; number < RUNS; number++) {
    proxy.seed(FIRST_SEED + number);
    proxy.part = [0.05, 0.3, 1][number % 3] as number;
    const begun = Date.now();
    const said = await run(number).catch((error: Error) => {
      throw new Error(`seed ${FIRST_SEED + number}: ${error.stack}\n${proxy.done.slice(-20).join('\n')}`);
    });
    const where = `seed ${FIRST_SEED + number}: ${said}\n${proxy.done.slice(-20).join('\n')}`;
    expect(said, where).not.toMatch(PROGRAM_FAULT);
    expect(Date.now() - begun, where).toBeLessThan(MAX_RUN_MS);
  }
  proxy.mode = 'whole';
  const recovered = await command(['connector', 'run', '--config', 'connector.json']);
  expect(recovered.out).toMatch(/^complete/);
  expect(await closed('connector')).toEqual([]);
  expect(await openIn('connector')).toEqual(await activeIds());
  const lines = await linesOf('connector');
  expect(new Set(lines.map(({ EventId }) => EventId)).size).toBe(lines.length);
}, 3_600_000);

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const AT_EXIT = resolve(import.meta.dirname, '../test/peakAtExit.ts');
const SDK = fileURLToPath(new URL('../test/hostileSdk.ts', import.meta.url));

function processOf(args: readonly string[], peakFile: string) {
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: directory, CLEW_URL: proxy.url, CLEW_TIMEOUT: '5' },
    ...{ CLEW_TOKEN_ID: token.tokenId, CLEW_TOKEN_KEY: token.tokenKey },
    ...{ CLEW_PEAK_FILE: peakFile, CLEW_ENDS: ends().join(' ') },
  };
  return { command: process.execPath, args: ['--import', AT_EXIT, ...args], env };
}

const FILLED: Readonly<Record<string, (peakFile: string) => Promise<void>>> = {
  'the command line': async (peakFile) => runToEnd(processOf([MAIN, 'findings'], peakFile), 1),
  'the connector': async (peakFile) =>
    runToEnd(processOf([MAIN, 'connector', 'run', '--config', 'recovers.json'], peakFile), 1),
  'the SDK': async (peakFile) => runToEnd(processOf([SDK], peakFile), 0),
  'clew mcp': async (peakFile) => {
    const client = newClient('auto');
    const transport = new StdioClientTransport({ ...processOf([MAIN, 'mcp'], peakFile), stderr: 'ignore' });
    await client.connect(transport);
    for (const of of TOOL_INPUTS.slice(0, IS_NIGHTLY ? 6 : 3)) {
      const [name, input] = of();
      const answer = await client.callTool({ name, arguments: input as Record<string, unknown> });
      expect(answer.isError, name).toBe(true);
    }
    await client.close();
  },
};

async function runToEnd({ command: program, args, env }: ReturnType<typeof processOf>, wanted: number) {
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'], env });
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4_000);
  });
  const [code] = await once(child, 'close');
  expect(code, said).toBe(wanted);
  expect(said).not.toMatch(PROGRAM_FAULT);
}

it.skipIf(process.platform !== 'linux').each(sampledCases(Object.entries(FILLED), 2))(
  '%s uses little memory while answers are infinite',
  async (_, fill) => {
    proxy.mode = FILLING;
    proxy.part = 1;
    for (const seed of IS_NIGHTLY ? [1, 2] : [1]) {
      proxy.seed(seed);
      const peakFile = join(directory, `peak ${seed}`);
      await fill(peakFile);
      // The process reports its peak when it ends.
      const peakMb = Number(await vi.waitFor(() => readFile(peakFile, 'utf8'), 10_000));
      await rm(peakFile);
      expect(proxy.done.length).toBeGreaterThan(0);
      expect(peakMb).toBeGreaterThan(30);
      expect(peakMb, proxy.done.join('\n')).toBeLessThan(MAX_RESIDENT_MB);
    }
  },
  240_000,
);

it('writes no control sequences of texts to a terminal, and hides none from users in answers to a model', async () => {
  proxy.mode = 'hostile texts';
  let shown = 0;
  const tools = sampledCases(TOOL_INPUTS, 2);
  for (const of of tools) {
    const [name, input] = of();
    const text = await askTool(name, input);
    expect(text, name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    if (text.includes('\u{fffd}') || text.includes('\\u001b')) shown++;
  }
  expect(shown).toBeGreaterThanOrEqual(tools.length / 4);
  shown = 0;
  const commands = sampledCases(COMMANDS, 2);
  for (const of of commands) {
    const args = of();
    const { out, err } = await command(args, 100);
    // The program's own redraw sequence is allowed.
    const text = `${out}${err}`.replaceAll('\r\u001b[K', '');
    expect(text, args.join(' ')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    if (text.includes('\u{fffd}') || text.includes('\\u001b')) shown++;
  }
  // Otherwise no corrupted text would have reached a screen.
  expect(shown).toBeGreaterThanOrEqual(commands.length / 3);
}, 120_000);
