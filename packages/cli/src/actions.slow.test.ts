/** Tests actions for analysts on a running service with a forest and a tenant. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { doesPathExist, fetchAssets, getObjectId, ping } from '@clew/connector';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const OPTIONS = { users: 60, seed: 11 };
const forest = generateForest(OPTIONS);
const tenant = generateTenant(OPTIONS);

let directory: string;
let service: ServiceHere;
let client: ClewClient;
let from: string;
let to: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-actions-'));
  service = await serveHere(directory, {}, { makesPlans: false });
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const paths = [join(directory, 'forest.zip'), join(directory, 'tenant.zip')] as const;
  await writeForestZip(forest, paths[0]);
  await writeZip([tenant.file], paths[1], () => {});
  const { jobId } = await client.uploadFiles(paths);
  await client.waitForJob(jobId);
  from = (await client.search(forest.route.fromName, { kind: 'User' }))[0]?.objectid ?? '';
  to = (await client.search(forest.route.toName))[0]?.objectid ?? '';
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('ping', () => {
  it('reports its service, and the visible environments', async () => {
    const result = await ping(client, service.url);
    expect(result).toMatchObject({ status: 'completed', resultValue: 'true' });
    expect(result.json?.environments).toBeGreaterThan(1);
    expect(Math.abs(result.json?.clockDifference ?? Number.NaN)).toBeLessThan(5_000);
  });

  it('explains wrong credentials, and a service that is not running', async () => {
    const stranger = new ClewClient({ url: service.url });
    expect(await ping(stranger, service.url)).toMatchObject({
      status: 'failed',
      resultValue: 'false',
      message: 'Clew cannot be used: not authenticated (401)',
    });
    const nowhere = new ClewClient({ url: 'http://127.0.0.1:1', retry: { retries: 0 } });
    expect((await ping(nowhere, 'http://127.0.0.1:1')).message).toMatch(/no answer from/);
  });
});

describe('get object id', () => {
  it('finds the exact name first, and reports names without an object', async () => {
    const names = `${forest.route.toName}, NO SUCH THING, ${forest.route.fromName}`;
    const { status, resultValue, message, json } = await getObjectId(client, names);
    expect([status, resultValue]).toEqual(['completed', 'false']);
    expect(Object.keys(json.objects_info)).toEqual([
      forest.route.toName,
      'NO SUCH THING',
      forest.route.fromName,
    ]);
    expect(json.objects_info[forest.route.toName]?.data?.[0]?.objectid).toBe(to);
    expect(json.objects_info['NO SUCH THING']).toEqual({ status: 'error', message: 'not found', data: [] });
    expect(message).toContain('NO SUCH THING: not found | ');
    expect((await getObjectId(client, forest.route.toName)).resultValue).toBe('true');
  });

  it('needs its parameter', async () => {
    expect(await getObjectId(client, ' ')).toMatchObject({
      status: 'failed',
      resultValue: 'false',
      message: 'Object Names is required',
    });
  });
});

describe('does path exist', () => {
  const event = (start: string, end: string) => JSON.stringify({ FromPrincipal: start, ToPrincipal: end });

  it('answers yes with the path, and no', async () => {
    const yes = await doesPathExist(client, event(from, to));
    expect(yes).toMatchObject({ status: 'completed', resultValue: 'true' });
    const item = yes.json.path_info[`${from} -> ${to}`];
    expect(item).toMatchObject({ status: 'success', data: true });
    expect(item?.edges).toHaveLength(item?.hops ?? 0);
    expect(item?.nodes?.[0]).toBe(forest.route.fromName);
    expect(item?.nodes?.at(-1)).toBe(forest.route.toName);
    const guests = to.replace(/-512$/, '-514');
    const both = await doesPathExist(client, `${event(from, to)},${event(guests, to)}`);
    expect(both).toMatchObject({ status: 'completed', resultValue: 'false' });
    expect(both.json).toMatchObject({ all_exist: false, any_exist: true, undecided: false });
  });

  it('follows paths into the cloud', async () => {
    const { route } = tenant;
    expect((await doesPathExist(client, `${route.from} -> ${route.to}`)).resultValue).toBe('true');
  });

  it('is undecided, not "no", if an object is unknown or the service refuses', async () => {
    const unknown = await doesPathExist(client, event(from, 'S-1-5-21-1-2-3-4'));
    expect(unknown).toMatchObject({ status: 'failed', resultValue: 'false', json: { undecided: true } });
    expect(unknown.message).toContain('object not found');
    const stranger = new ClewClient({ url: service.url });
    expect(await doesPathExist(stranger, event(from, to))).toMatchObject({
      status: 'failed',
      json: { undecided: true, any_exist: false },
    });
  });

  it.each([401, 403, 429, 500, 503])('is undecided for %i, also after some of many pairs', async (status) => {
    let asked = 0;
    const server: Server = createServer((_, response) => {
      asked++;
      const wrapper = {
        http_status: status,
        timestamp: '',
        request_id: '',
        errors: [{ context: 'x', message: 'no' }],
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(wrapper));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const failing = new ClewClient({ url: `http://127.0.0.1:${port}`, retry: { retries: 0 } });
    const pairs = Array.from({ length: 40 }, (_, at) => `A${at} -> B`).join('\n');
    const result = await doesPathExist(failing, pairs);
    expect(result).toMatchObject({ status: 'failed', resultValue: 'false', json: { undecided: true } });
    expect(Object.values(result.json.path_info).every(({ data }) => data === null)).toBe(true);
    // With wrong credentials or throttling, the action does not send all forty requests.
    expect(asked).toBe([401, 429].includes(status) ? 4 : 40);
    server.close();
  });
});

describe('fetch assets', () => {
  it('returns properties and counts of on-premises and cloud objects', async () => {
    const { status, resultValue, json } = await fetchAssets(client, `${from},${to},${tenant.route.to}`);
    expect([status, resultValue]).toEqual(['completed', 'true']);
    expect(json.assets_info[from]?.data).toMatchObject({ type: 'User', name: forest.route.fromName });
    expect(json.assets_info[to]?.data).toMatchObject({ type: 'Group', members: expect.any(Number) });
    expect(json.assets_info[tenant.route.to]?.data).toMatchObject({ type: 'AZRole' });
  });

  it('names a missing object', async () => {
    // A name is not an id, although the search also finds objects by name.
    const named = await fetchAssets(client, forest.route.toName);
    expect(named).toMatchObject({ resultValue: 'false', message: expect.stringMatching(/not available$/) });
    const result = await fetchAssets(client, `["${to}", "S-1-5-21-1-2-3-4"]`);
    expect(result).toMatchObject({ status: 'completed', resultValue: 'false' });
    expect(result.message).toBe(`${to}: Asset fetched | S-1-5-21-1-2-3-4: Object Id not available`);
  });

  it('leaves items beyond its time limit to the next call', async () => {
    const first = await fetchAssets(client, `${from},${to}`, { budgetMs: 0 });
    expect(first.status).toBe('in progress');
    expect(JSON.parse(first.resultValue)).toEqual({ remaining_ids: [from, to], results: {} });
    const second = await fetchAssets(client, undefined, { state: first.resultValue });
    expect(second).toMatchObject({ status: 'completed', resultValue: 'true' });
    for (const state of ['lost', 'null', '[]', '{"remaining_ids":["A"],"results":{"B":null}}'])
      expect(await fetchAssets(client, undefined, { state })).toMatchObject({ status: 'failed' });
  });
});

describe('on the command line', () => {
  const clew = (...args: string[]) =>
    runCommand({ url: service.url, home: join(directory, 'home'), directory, secret: ADMIN_PASSWORD }, args);

  it('prints a table, or JSON', async () => {
    await clew('login', '--user', 'admin');
    expect((await clew('action', 'ping')).stdout).toMatch(/^Connected to Clew /);
    const table = await clew('action', 'does-path-exist', `${from} -> ${to}`);
    expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(/success +yes +Path exists/)]);
    const { stdout } = await clew('action', 'get-object-id', forest.route.toName, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ resultValue: 'true' });
    const user = { url: service.url, home: join(directory, 'home'), directory, input: `${from} -> ${to}\n` };
    expect((await runCommand(user, ['action', 'does-path-exist', '-'])).stdout).toMatch(/yes +Path exists/);
    expect((await clew('action', 'fetch-assets', to)).stdout).toMatch(
      /success +DOMAIN ADMINS@AURORA\.EXAMPLE +Asset fetched/,
    );
    expect(await clew('action', 'does-path-exist', 'nonsense')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no pair of FromPrincipal/),
    });
    expect((await clew('action', 'get-object-id')).code).toBe(2);
  });
});
