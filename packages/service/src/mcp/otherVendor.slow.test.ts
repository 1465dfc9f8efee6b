/**
 * A client library of another vendor (FastMCP for Python) signs in by browser, and calls every tool, prompt and resource. Skipped, with the
 * reason in its title, where it cannot be installed.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { installedPython } from '../../test/installed.ts';
import { idOf, MARKS, markedFile, pathIn } from '../../test/markedEnvironments.ts';
import { PASSWORD, ServiceUnderTest } from '../../test/serviceUnderTest.ts';

const installed = installedPython('fastmcp', 'fastmcp==4.1.6');
let test: ServiceUnderTest;

beforeAll(async () => {
  if (installed === undefined) return;
  test = await ServiceUnderTest.start();
  await test.upload(markedFile(), pathIn('NORTH'));
  await test.settled();
  await vi.waitUntil(async () => (await test.call('GET', 'plan')).status === 200, {
    ...{ timeout: 100_000, interval: 200 },
  });
}, 300_000);
afterAll(() => test?.stop());

const title = installed === undefined ? ' (not installed)' : '';

it.skipIf(installed === undefined)(
  `another vendor's client signs in and calls everything${title}`,
  async () => {
    const report = (await test.call('POST', 'reports', { name: 'of all' })).json.data;
    const findings = (await test.call('GET', 'attack-paths/findings?limit=1')).json.data;
    const secret = { login_method: 'secret', username: 'admin', secret: PASSWORD };
    const session = (await test.call('POST', 'login', secret)).json.data.session_token;
    const ends = { from: idOf('NORTH', 'User'), to: MARKS.NORTH.id };
    const asked = {
      search_objects: { text: 'MARK' },
      get_object: { object_id: MARKS.NORTH.id },
      ...{ find_path: ends, list_alternative_paths: ends, explain_no_path: { from: ends.to, to: ends.from } },
      who_can_reach: { object: MARKS.NORTH.id },
      what_if: { disable: [ends.from] },
      get_differences: { since: '2020-01-01' },
      query_graph: { query: 'MATCH (d:Domain) RETURN d.name' },
      get_finding: { id: findings[0].id },
      list_changes: { since: '2020-01-01' },
      investigate_object: { object: MARKS.NORTH.id },
      resources: [
        ...[`clew://finding/${findings[0].id}`, 'clew://card/1'],
        ...[`clew://object/${MARKS.NORTH.id}`, `clew://report/${report.id}`],
      ],
    };
    const script = join(import.meta.dirname, '../../test/mcp/otherVendor.py');
    const { stdout } = await promisify(execFile)(
      join(installed as string, 'python'),
      [script, `${test.service.url}/api/v2/mcp`, session, JSON.stringify(asked)],
      { timeout: 120_000 },
    );
    const called = JSON.parse(stdout.trim().split('\n').at(-1) as string);
    expect(called).toEqual({
      tools: expect.arrayContaining(['get_plan', 'query_graph', 'list_changes']),
      errors: {},
      prompts: ['fix_first', 'investigate_object', 'what_changed', 'collection_coverage'],
      templates: ['finding', 'card', 'object', 'report'],
      // All that are listed are read.
      resources: expect.arrayContaining(['clew://card/1', `clew://report/${report.id}`]),
      read: expect.arrayContaining(asked.resources),
    });
    expect(called.read.length).toBe(called.resources.length + asked.resources.length);
  },
  200_000,
);
