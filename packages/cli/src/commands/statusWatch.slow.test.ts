/** Tests `clew status --watch` with a server whose graph changes and which fails temporarily. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../test/runCommand.ts';

const graph = (nodes: number) => ({
  generation: nodes,
  published_at: '2026-01-01T00:00:00Z',
  collected: { nodes: { User: nodes }, edges: {}, total_nodes: nodes, total_edges: 0 },
  derived: { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 },
});
const STATES: readonly (object | 'failing')[] = [graph(1), graph(1), graph(2), 'failing', graph(2)];

let asked = 0;
let keys: (string | undefined)[] = [];
const stop = new AbortController();
const server = createServer((request, response) => {
  keys.push(request.headers.authorization?.split(' ')[1]);
  const state = STATES[asked++];
  if (asked >= STATES.length) stop.abort();
  response.setHeader('content-type', 'application/json');
  response.statusCode = state === 'failing' ? 400 : 200;
  const fault = {
    ...{ http_status: 400, timestamp: '', request_id: 'r' },
    errors: [{ context: 'x', message: 'not now' }],
  };
  response.end(JSON.stringify(state === 'failing' ? fault : { data: state }));
});
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clew-status-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

it('shows each new state once, continues after an error, and ends when interrupted', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(directory, 'key');
  writeFileSync(file, `${Buffer.from('k'.repeat(40)).toString('base64')}\n`);
  chmodSync(file, 0o600);
  const user = {
    ...{ url, home: directory, directory, signal: stop.signal },
    variables: { CLEW_TOKEN_ID: '7d3f0f7e-1111-4222-8333-444455556666', CLEW_TOKEN_KEY_FILE: file },
  };
  const { stdout } = await runCommand(user, ['status', '--watch', '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(0, 3)).toMatchObject([
    { total_nodes: 1 },
    { total_nodes: 2 },
    { fault: expect.stringContaining('not now') },
  ]);
  // Each request was signed with the token of the file.
  expect(keys.length).toBeGreaterThanOrEqual(4);
  expect(new Set(keys)).toEqual(new Set(['7d3f0f7e-1111-4222-8333-444455556666']));
  keys = [];
  const both = { ...user.variables, CLEW_TOKEN_KEY: 'x' };
  const open = await runCommand({ ...user, variables: both, signal: undefined }, ['status']);
  expect([open.code, open.stderr]).toEqual([
    2,
    expect.stringContaining('CLEW_TOKEN_KEY and CLEW_TOKEN_KEY_FILE are both set'),
  ]);
  expect(keys).toEqual([]);
});
