/** Tests `clew diff` on a running service, with uploads that change something, and a restart. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DifferenceRecord } from '@clew/api';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';
import { readSince } from './commands/diff.ts';

const PATIENCE = 120_000;

let directory: string;
let service: ServiceHere;
let client: ClewClient;
/** Publication times of the analyses in the test. */
const times: string[] = [];

async function connect(): Promise<void> {
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await runCommand({ url: service.url, home: join(directory, 'home'), directory }, [
    'login',
    '--user',
    'admin',
  ]);
}

const clew = (...args: string[]) =>
  runCommand({ url: service.url, home: join(directory, 'home'), directory }, args);

async function ingest(...paths: string[]): Promise<void> {
  const { jobId } = await client.uploadFiles(paths);
  await client.waitForJob(jobId);
  times.push((await client.call('GetPlan', { query: { limit: 1 } })).data.published_at);
}

const SID = 'S-1-5-21-11-22-33';
const [ADMINS, USERS, HELPDESK] = [`${SID}-512`, `${SID}-513`, `${SID}-1100`] as const;
const PEOPLE = 20;
const HELPERS = 5;

const object = (rid: string, name: string, more: object) => ({
  ObjectIdentifier: `${SID}${rid}`,
  Properties: { name: `${name}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: SID, enabled: true },
  ...{ Aces: [], IsDeleted: false, IsACLProtected: false, ...more },
});

async function writeCollection(type: string, data: readonly object[]): Promise<string> {
  const path = join(directory, `${type}.json`);
  await writeFile(
    path,
    JSON.stringify({ data, meta: { type, version: 6, count: data.length, methods: 0x7ffff } }),
  );
  return path;
}

function domain(quota: number): Promise<string> {
  const trust = {
    ...{ TargetDomainSid: 'S-1-5-21-44-55-66', TargetDomainName: 'PARTNER.LOCAL', TrustDirection: 'Inbound' },
    ...{ TrustType: 'External', IsTransitive: false, SidFilteringEnabled: true },
  };
  const all = { ...object('', 'CORP.LOCAL', { ChildObjects: [], Trusts: [trust], Links: [] }) };
  const named = { name: 'CORP.LOCAL', domain: 'CORP.LOCAL', domainsid: SID, collected: true };
  return writeCollection('domains', [{ ...all, Properties: { ...named, machineaccountquota: quota } }]);
}

/** A helpdesk of five of twenty users, with or without control of Domain Admins. */
function groups(isChanged: boolean): Promise<string> {
  const aces = isChanged
    ? [{ PrincipalSID: HELPDESK, PrincipalType: 'Group', RightName: 'GenericAll', IsInherited: false }]
    : [];
  const helpers = Array.from({ length: HELPERS }, (_, at) => ({
    ...{ ObjectIdentifier: `${SID}-${2000 + at}`, ObjectType: 'User' },
  }));
  return writeCollection('groups', [
    object('-512', 'DOMAIN ADMINS', { Members: [], Aces: aces }),
    object('-513', 'DOMAIN USERS', { Members: [] }),
    object('-1100', 'HELPDESK', { Members: helpers }),
    ...(isChanged ? [object('-1101', 'NEWCOMERS', { Members: [] })] : []),
  ]);
}

const since = async (time: string): Promise<DifferenceRecord> =>
  (await client.call('GetDifference', { query: { since: time } })).data;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-diff-'));
  service = await serveHere(directory);
  await connect();
  const people = Array.from({ length: PEOPLE }, (_, at) =>
    object(`-${2000 + at}`, `USER${at}`, { PrimaryGroupSID: USERS, AllowedToDelegate: [], SPNTargets: [] }),
  );
  const files = [await groups(false), await writeCollection('users', people)];
  await ingest(...files, await domain(0));
}, PATIENCE);
afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('the difference of two analyses', () => {
  let worse: DifferenceRecord;

  it('names new objects and relationships, and those that changed the exposure', async () => {
    await ingest(await groups(true), await domain(10));
    worse = await since(times[0] as string);
    expect(worse).toMatchObject({
      from: { published_at: times[0] },
      to: { published_at: times[1] },
      reaches_back: true,
      objects: { came_count: 1, came: [{ name: 'NEWCOMERS@CORP.LOCAL' }], went_count: 0, changed_count: 0 },
      relations: {
        ...{ came_count: 2, went_count: 0 },
        // The quota allows users to join computers.
        kinds: [
          { kind: 'CanAddComputer', came_count: 1 },
          { kind: 'GenericAll', came_count: 1 },
        ],
      },
    });
    const ends = { source: { object_id: HELPDESK }, target: { object_id: ADMINS } };
    const collected = worse.relations.came.filter(({ is_derived }) => !is_derived);
    expect(collected).toMatchObject([{ ...ends, kind: 'GenericAll' }]);
    expect(worse.moved_by).toMatchObject([
      { ...ends, change: 'came', kinds: ['GenericAll'], principal_count: HELPERS, because: [] },
    ]);
    expect(worse).toMatchObject({ came_together: HELPERS, went_together: 0 });
    expect(worse.exposure).toMatchObject([
      { environment_name: 'CORP.LOCAL', before: 0, after: HELPERS / PEOPLE },
    ]);
    expect(worse.settings).toMatchObject({
      changed_count: 1,
      changed: [{ name: 'CORP.LOCAL', property: 'machineaccountquota', before: 0, after: 10 }],
    });
    expect(worse.findings.types).toMatchObject([
      { finding: 'T0GenericAll', came_count: 1, went_count: 0 },
      { finding: 'MachineAccountQuota', came_count: 1, went_count: 0 },
    ]);
    const text = await clew('diff', '--since', times[0] as string);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/HELPDESK\S* -has full control of-> DOMAIN ADMINS/);
    expect(text.stdout).toContain('new: 5 users and computers can reach the zone only through it');
    expect(text.stdout).toContain('exposed 0% -> 25.0%');
    // The exposure of an environment that is not collected is unknown.
    const { data: environments } = await client.call('GetAvailableDomains');
    expect(environments.map(({ name, exposures }) => [name, exposures?.length])).toEqual([
      ['CORP.LOCAL', 1],
      ['PARTNER.LOCAL', 0],
    ]);
    expect(text.stdout).not.toContain('PARTNER.LOCAL');
    expect(text.stdout).toContain('CORP.LOCAL  machineaccountquota: 0 -> 10');
    expect(text.stdout).not.toContain('more: --limit');
    const short = await clew('diff', '--since', times[0] as string, '--limit', '1');
    expect(short.stdout).toMatch(/New relationships\n\n {2}\S.*\n {2}and 1 more: --limit shows more\n/);
  });

  it('survives a restart, and cancels out changes that were undone', async () => {
    const relation = { source_id: HELPDESK, kind: 'GenericAll', target_id: ADMINS };
    const later = { source_id: USERS, kind: 'GenericAll', target_id: ADMINS };
    const body = { name: 'Helpdesk', remove: [relation], add: [later], disable: [`${SID}-2000`] };
    const { id } = (await client.call('CreatePlan', { body })).data;
    await service.pause();
    await service.resume();
    await connect();
    await ingest(await groups(false), await domain(0));
    const { data: followed } = await client.call('GetSavedPlan', { params: { plan_id: id } });
    expect(followed).toMatchObject({ done: { remove: [relation] }, name: 'Helpdesk', created_by: 'admin' });
    expect(followed.left).toEqual({ add: [later], disable: [`${SID}-2000`] });
    expect(followed.simulation.opened_count).toBeGreaterThan(0);
    expect((await clew('plans', 'show', String(id))).stdout).toMatch(
      /1 of 3 changes done\n {2}done {2}Remove GenericAll from HELPDESK\S+ to DOMAIN ADMINS\S+\n {2}left {2}Add/,
    );
    const better = await since(times[1] as string);
    expect(better.relations.went).toEqual(worse.relations.came);
    expect(better.moved_by).toEqual([{ ...worse.moved_by[0], change: 'went', because: [] }]);
    expect(better.exposure).toEqual(
      worse.exposure.map((each) => ({ ...each, before: each.after, after: each.before })),
    );
    expect(better.findings).toMatchObject({
      ...{ came_count: worse.findings.went_count, went_count: worse.findings.came_count },
    });
    const over = await since(times[0] as string);
    expect(over).toMatchObject({
      relations: { came_count: 0, went_count: 0, came: [], went: [], kinds: [] },
      moved_by: [],
    });
  });

  it('compares two earlier analyses, without the causes of the exposure change', async () => {
    const query = { since: times[0] as string, until: times[1] as string };
    const { data } = await client.call('GetDifference', { query });
    expect(data).toMatchObject({
      ...{ from: worse.from, to: worse.to, objects: worse.objects, relations: worse.relations },
      ...{ settings: worse.settings, exposure: worse.exposure, findings: worse.findings },
      ...{ moved_by: [], came_together: null, went_together: null },
    });
    // Up to the latest analysis, the result is the same as without it.
    const whole = await since(times[1] as string);
    const same = { since: times[1] as string, until: '2999-01-01T00:00:00Z' };
    expect((await client.call('GetDifference', { query: same })).data).toEqual(whole);
    const text = await clew('diff', '--since', query.since, '--until', query.until);
    expect(text.stdout).toContain('exposed 0% -> 25.0%');
    const back = { since: query.until, until: query.since };
    await expect(client.call('GetDifference', { query: back })).rejects.toThrow(/until/);
    const wrong = { ...query, until: 'soon' };
    await expect(client.call('GetDifference', { query: wrong })).rejects.toThrow(/until/);
  });

  it('reports when it does not reach back that far', async () => {
    const all = await since('2001-01-01T00:00:00Z');
    expect(all).toMatchObject({ reaches_back: false, from: { published_at: times[0] } });
    const text = await clew('diff', '--since', '2001-01-01', '--json');
    expect(JSON.parse(text.stdout)).toMatchObject({ reaches_back: false });
    expect((await clew('diff', '--since', '2001-01-01')).stderr).toContain(
      'There is no analysis from 2001-01-01',
    );
    const now = await since('2999-01-01T00:00:00Z');
    expect(now).toMatchObject({ from: now.to, reaches_back: true, relations: { came_count: 0 } });
    expect(await clew('diff', '--since', '2999-01-01')).toMatchObject({
      ...{ code: 0, stdout: '', stderr: expect.stringContaining('There is no analysis since 2999-01-01') },
    });
  });

  it('refuses invalid times and unknown zones', async () => {
    await expect(since('yesterday')).rejects.toThrow(/since/);
    await expect(
      client.call('GetDifference', { query: { since: times[0] as string, asset_group_tag_id: 99 } }),
    ).rejects.toThrow('not found');
    expect(await clew('diff', '--since', 'soon')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('"soon" is not a time') },
    });
  });
});

it.each([
  ['7d', '2026-01-24T12:00:00.000Z'],
  ['12h', '2026-01-31T00:00:00.000Z'],
  ['2w', '2026-01-17T12:00:00.000Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
])('%s is a time', (text, time) => {
  expect(readSince(text, new Date('2026-01-31T12:00:00Z'))).toBe(time);
});
