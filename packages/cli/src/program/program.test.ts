/** Checks rules for every command. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCommand } from '../../test/runCommand.ts';
import { dayText } from './options.ts';

const user = (url = 'http://127.0.0.1:9') => ({ url, home: '/nowhere', directory: tmpdir(), secret: 'x' });

it.each(['run', 'watch', 'test', 'status'])(
  'connector %s without its configuration file is a usage error',
  async (name) => {
    const { code, stderr } = await runCommand(user(), ['connector', name, '--config', 'no-such-file.json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no-such-file.json: no such file')]);
  },
);

it.each(['plan', 'query'])('%s has --json in addition to --format', async (name) => {
  const { stdout } = await runCommand(user(), [name, '--help']);
  expect(stdout).toContain('--format <format>');
  expect(stdout).toMatch(/--json +print JSON/);
});

it('bash completes commands and options with the script', async () => {
  const { code, stdout } = await runCommand(user(), ['completion', 'bash']);
  expect(code).toBe(0);
  const complete = (...words: readonly string[]): string[] => {
    const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _clew; echo "\${COMPREPLY[@]}"`;
    const { stdout: said, stderr } = spawnSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return said.trim().split(' ');
  };
  expect(complete('clew', 'que')).toEqual(['query', 'questions']);
  expect(complete('clew', 'query', '--fo')).toEqual(['--format']);
  expect(complete('clew', 'plan', 'constraints', 'a')).toEqual(['add']);
  expect(complete('clew', '--timeout', '5', 'plans', 'pro')).toEqual(['progress', 'proof']);
});

it.each(['zsh', 'fish'])('the script for %s has every command', async (shell) => {
  const { stdout } = await runCommand(user(), ['completion', shell]);
  for (const name of ['query', 'investigate', '--severity', 'constraints']) expect(stdout).toContain(name);
});

it('every command warns once on standard error of variables that are probably misspelled', async () => {
  const warned = (variables: Record<string, string>, ...args: string[]) =>
    runCommand({ ...user(), variables }, args);
  const asked = await warned(
    { CLEW_TOKENID: 'x', CLEW_FLAVOR: 'x', CLEW_TEST_RUNS: '1' },
    'status',
    '--json',
  );
  expect([asked.stdout, asked.stderr.split('\n').slice(0, 2)]).toEqual([
    '',
    [
      'clew: CLEW_FLAVOR is set, but is not a setting of Clew',
      'clew: CLEW_TOKENID is set, but is not a setting of Clew; did you mean CLEW_TOKEN_ID?',
    ],
  ]);
  expect(asked.stderr.match(/CLEW_TOKENID/g)).toHaveLength(1);
  const known = await warned(
    { CLEW_URL: 'http://127.0.0.1:9', CLEW_DATA_DIR: '/nowhere' },
    'completion',
    'bash',
  );
  expect(known.stderr).toBe('');
});

it('login waits at most as long as --timeout', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  try {
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(user(url), ['--timeout', '1', 'login', '--user', 'admin']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/within 1 s\n$/)]);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}, 30_000);

it.each(['2026-02-31', '2026-13-01', '2026-2-1', 'tomorrow'])('%s is not a date', (text) => {
  expect(() => dayText(text)).toThrow('Expected a date');
  expect(dayText('2028-02-29')).toBe('2028-02-29');
});
