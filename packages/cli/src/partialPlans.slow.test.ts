/**
 * Plans of which a command knows only a part: for a user who may see one domain of a forest, figures that are left out are never figures
 * of nothing, and cards of a plan that is older than the constraints have no numbers to refer to.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanRecord } from '@clew/api';
import { ClewClient } from '@clew/client';
import { type FinishedProcess, PASSWORD, ServiceUnderTest } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

let directory: string;
let test: ServiceUnderTest;
let client: ClewClient;
let own: PlanRecord['before'][number];

const as = (name: string, ...args: string[]): Promise<FinishedProcess> => {
  return runCommand(
    { url: test.service.url, home: join(directory, name), directory, secret: PASSWORD },
    args,
  );
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-limited-'));
  test = await ServiceUnderTest.start();
  client = new ClewClient({ url: test.service.url });
  await client.login('admin', PASSWORD);
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 30, seed: 11 }), archive);
  const { jobId } = await client.uploadFiles([archive]);
  await client.waitForJob(jobId);
  const plan = await client.plan({ limit: 50 });
  [own] = plan.before
    .filter(({ exposed_count }) => exposed_count > 0)
    .sort((one, other) => other.principal_count - one.principal_count) as [PlanRecord['before'][number]];
  await test.addUser('limited', 'User', [own.environment_id]);
  for (const name of ['admin', 'limited'])
    expect(await as(name, 'login', '--user', name)).toMatchObject({ code: 0 });
}, 300_000);
afterAll(async () => {
  await test.stop();
  await rm(directory, { recursive: true, force: true });
});

it('choke points whose figures are left out are not those of a zone that no one can reach', async () => {
  const shown = await as('limited', 'choke-points');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toBe(
    `Not shown: how many of ${own.environment_name} can reach the zone, because this covers environments outside your access.\n`,
  );
  expect((await as('admin', 'choke-points')).stdout).toMatch(/^[1-9][\d,]* users and computers can reach/);
});

it('an assistant reads no count of nothing', async () => {
  const limited = new ClewClient({ url: test.service.url });
  await limited.login('limited', PASSWORD);
  const { data } = await limited.call('CreateAuthToken', { body: { token_name: 'assistant' } });
  const ask = async (name: string) => {
    const answer = await fetch(new URL('/api/v2/mcp', test.service.url), {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${data.id}.${data.key}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    });
    return answer.text();
  };
  for (const name of ['list_choke_points', 'get_plan']) {
    const text = (await ask(name)).replaceAll('\\"', '"');
    expect([name, text]).toEqual([name, expect.stringContaining('"not_shown":[{')]);
    expect(text).not.toContain('"exposed_count":0');
  }
});

it('the number of a card of a plan that is older than the constraints records nothing', async () => {
  const { pool } = test.database;
  const add = () => as('admin', 'plan', 'constraints', 'add', '--card', '1', '--reason', 'x');
  await pool.query("update zone_plan set basis = 'other ' || basis");
  const refused = await add();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing is recorded')]);
  expect((await client.call('ListPlanConstraints', {})).data).toEqual([]);
  await pool.query("delete from zone_plan where basis not like 'other %'");
  await pool.query("update zone_plan set basis = replace(basis, 'other ', '')");
  const { cards } = await client.plan({ limit: 1 });
  const added = await add();
  expect(added.code).toBe(0);
  expect(added.stderr).toContain(cards[0]?.packages[0]?.title.slice(0, 40));
  expect(added.stderr).toMatch(/its cards may have other numbers/i);
});

it('the count of principals that can reach an object says who else can reach it', async () => {
  const shown = await as('admin', 'who-can-reach', own.environment_id);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^[\d,]+ of [\d,]+ users and computers outside .* can reach /);
  const { others } = (await client.call('GetReach', { query: { object_id: own.environment_id } })).data;
  for (const one of others ?? [])
    expect(shown.stdout).toContain(`${one.reaching_count} of ${one.environment_name}`);
  if (others?.length === 0) expect(shown.stdout).toContain('No user or computer of another forest');
  expect((await as('limited', 'who-can-reach', own.environment_id)).stdout).toContain('is unknown');
});
