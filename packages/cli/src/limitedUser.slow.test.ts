/** Commands of a user who may see one domain of a forest: figures that are left out are never figures of nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanRecord } from '@clew/api';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type FinishedProcess, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const SECRET = 'One-Domain-Only-2026';

let directory: string;
let service: ServiceHere;
let client: ClewClient;
let own: PlanRecord['before'][number];

const as = (name: string, ...args: string[]): Promise<FinishedProcess> => {
  const secret = name === 'admin' ? ADMIN_PASSWORD : SECRET;
  return runCommand({ url: service.url, home: join(directory, name), directory, secret }, args);
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-limited-'));
  service = await serveHere(directory);
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 30, seed: 11 }), archive);
  const { jobId } = await client.uploadFiles([archive]);
  await client.waitForJob(jobId);
  const plan = await client.plan({ limit: 50 });
  [own] = plan.before
    .filter(({ exposed_count }) => exposed_count > 0)
    .sort((one, other) => other.principal_count - one.principal_count) as [PlanRecord['before'][number]];
  const { roles } = (await client.call('ListRoles', {})).data;
  const role = roles.find(({ name }) => name === 'User');
  await client.call('CreateUser', {
    body: {
      ...{ principal: 'limited', first_name: 'limited', last_name: 'limited' },
      ...{ email_address: 'limited@one.example', roles: [role?.id ?? 0], secret: SECRET },
      needs_password_reset: false,
      environment_targeted_access_control: { environments: [{ environment_id: own.environment_id }] },
    },
  });
  for (const name of ['admin', 'limited'])
    expect(await as(name, 'login', '--user', name)).toMatchObject({ code: 0 });
}, 300_000);
afterAll(async () => {
  await service.stop();
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
  const limited = new ClewClient({ url: service.url });
  await limited.login('limited', SECRET);
  const { data } = await limited.call('CreateAuthToken', { body: { token_name: 'assistant' } });
  const ask = async (name: string) => {
    const answer = await fetch(new URL('/api/v2/mcp', service.url), {
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
