import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testScreen } from '../test/testScreen.ts';
import { connect, normalizeUrl, serviceUrl } from './connection.ts';
import type { Context, Environment } from './context.ts';
import { deleteSession, readSession, sessionPath, writeSession } from './session.ts';

let home: string;
let env: Environment;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'clew-session-'));
  env = { HOME: home };
});
afterEach(() => rm(home, { recursive: true }));

const stored = { url: 'http://127.0.0.1:9000', user: 'admin', session: 'a.b.c' };

const contextOf = (variables: Environment): Context => ({
  env: variables,
  out: testScreen().screen,
  err: testScreen().screen,
  directory: home,
  signal: new AbortController().signal,
  askSecret: async () => '',
  withQuestions: () => Promise.reject(new Error('nothing is asked here')),
  readInput: async () => '',
});

describe('the session file', () => {
  it('is in the configuration directory of the user', () => {
    expect(sessionPath({ HOME: '/home/ada' }, 'linux')).toBe('/home/ada/.config/clew/session.json');
    expect(sessionPath({ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }, 'linux')).toBe(
      '/etc/ada/clew/session.json',
    );
    expect(sessionPath({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' }, 'linux')).toBe(
      '/home/ada/.config/clew/session.json',
    );
    expect(sessionPath({ APPDATA: '/roaming' }, 'win32')).toBe(join('/roaming', 'clew', 'session.json'));
  });

  it('and its directory are readable by the user only', async () => {
    const path = await writeSession(env, stored);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect(await readdir(dirname(path))).toEqual(['session.json']);
    expect(await readSession(env)).toEqual(stored);
  });

  it('gets restricted permissions if they were too open', async () => {
    const path = await writeSession(env, stored);
    await rm(path);
    await writeFile(path, '{}', { mode: 0o644 });
    await writeSession(env, { ...stored, user: 'eve' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8')).user).toBe('eve');
  });

  it.each(['', 'null', '{"url":1}', '{"url":"x"}', '[]', 'no json'])(
    'is reported when damaged: %s',
    async (text) => {
      const path = await writeSession(env, stored);
      await writeFile(path, text);
      await expect(readSession(env)).rejects.toThrow(/session\.json is damaged/);
    },
  );

  it('may be missing, and be deleted twice', async () => {
    expect(await readSession(env)).toBeUndefined();
    await writeSession(env, stored);
    await deleteSession(env);
    await deleteSession(env);
    expect(await readSession(env)).toBeUndefined();
  });
});

describe('the service of a command', () => {
  it('is the one of --url, of CLEW_URL, of the session, or the default', async () => {
    expect(await serviceUrl(env, {})).toBe('http://127.0.0.1:8080');
    await writeSession(env, stored);
    expect(await serviceUrl(env, {})).toBe(stored.url);
    expect(await serviceUrl({ ...env, CLEW_URL: 'https://clew.example/' }, {})).toBe('https://clew.example');
    expect(await serviceUrl({ ...env, CLEW_URL: 'https://clew.example' }, { url: 'http://[::1]:1' })).toBe(
      'http://[::1]:1',
    );
  });

  it.each(['clew.example', 'ftp://x', 'http://user:password@x', 'http://x/?a', ''])('is not %j', (text) => {
    expect(() => normalizeUrl(text)).toThrow(/is not the address of a service/);
  });

  it('only receives its own session', async () => {
    await writeSession(env, stored);
    await expect(connect(contextOf(env), {})).resolves.toBeDefined();
    await expect(connect(contextOf(env), { url: 'http://127.0.0.1:9001' })).rejects.toThrow(
      'not signed in to http://127.0.0.1:9001',
    );
  });

  it('receives a token from the environment, with both parts', async () => {
    const token = { ...env, CLEW_TOKEN_ID: 'id', CLEW_TOKEN_KEY: 'key' };
    await expect(connect(contextOf(token), {})).resolves.toBeDefined();
    await expect(connect(contextOf({ ...token, CLEW_TOKEN_KEY: '' }), {})).rejects.toThrow(
      'CLEW_TOKEN_KEY is not set',
    );
    await expect(connect(contextOf({ ...token, CLEW_TOKEN_ID: ' ' }), {})).rejects.toThrow(
      'CLEW_TOKEN_ID is not set',
    );
  });
});
