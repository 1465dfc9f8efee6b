/**
 * Tests the connector on the command line with a running service: deliveries happen once, findings close when fixed, even if processes are
 * killed.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClewClient } from '@clew/client';
import { SAMPLE_FILE } from '@clew/collections/testing';
import { sampledCases } from '@clew/common/testing';
import { doesPathExist } from '@clew/connector';
import {
  ADMIN_PASSWORD,
  type FinishedProcess,
  type ServiceHere,
  serveHere,
  startTestDatabase,
} from '@clew/service/testing';
import {
  generateForest,
  generatePlatforms,
  generateTenant,
  writeFiles,
  writeForest,
  writeZip,
} from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../test/runCommand.ts';
import { testScreen } from '../test/testScreen.ts';
import { runCommandLine } from './program/program.ts';

/** Settings with some types, for tests that do not need all findings. */
const FEW = { selectedFindingTypes: 'T0GenericAll, Kerberoasting' };
const OPTIONS = { users: 60, seed: 11 };
const platforms = generatePlatforms(OPTIONS);
/** A finding type from a definition, a check of a definition, and a custom check. */
const DECLARED = ['Hub_CredentialOf_IntoZone', 'Gate_PhishableSignIn', 'Check_PushedSignIn'] as const;
const CHECK = {
  ...{ name: 'Check_PushedSignIn', title: 'Sign-in by a push message', category: 'Sign-in', severity: 'low' },
  cypher: "MATCH (u:Gate_User) WHERE u.mfa = 'push' RETURN u",
};

let directory: string;
let service: ServiceHere;
let client: ClewClient;
let token: { readonly id: string; readonly key: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-connector-'));
  service = await serveHere(directory, {}, { makesPlans: false });
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await writeForest(generateForest(OPTIONS), join(directory, 'forest'));
  const tenant = join(directory, 'tenant.zip');
  await writeZip([generateTenant(OPTIONS).file], tenant, () => {});
  const files = (await readdir(join(directory, 'forest'))).map((name) => join(directory, 'forest', name));
  for (const { text } of platforms.definitions)
    await client.call('UpsertOpenGraphExtension', { body: JSON.parse([...text(() => {})].join('')) });
  await client.call('PutCheck', { params: { check_name: CHECK.name }, body: CHECK } as never);
  await writeFiles(platforms.payloads, join(directory, 'platforms'));
  for (const name of await readdir(join(directory, 'platforms')))
    files.push(join(directory, 'platforms', name));
  const { jobId } = await client.uploadFiles([...files, tenant]);
  await client.waitForJob(jobId);
  const self = (await client.call('GetSelf')).data;
  const made = await client.call('CreateAuthToken', {
    body: { user_id: self.id, token_name: 'connector' },
  });
  token = made.data as typeof token;
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Each name has a separate state and output. */
async function configure(name: string, more: object = {}): Promise<string> {
  const file = join(directory, `${name}.json`);
  const settings = {
    server: `${service.url}/`,
    tokenId: token.id,
    tokenKey: token.key,
    selectedZones: 'All',
    state: { directory: `${name}-state` },
    platform: { type: 'jsonl', directory: `${name}-out` },
  };
  await writeFile(file, JSON.stringify({ ...settings, ...more }));
  return file;
}

const clew = (...args: string[]): Promise<FinishedProcess> =>
  runCommand({ url: service.url, home: join(directory, 'home'), directory }, args);

async function linesOf(name: string): Promise<Record<string, string>[]> {
  const text = await readFile(join(directory, `${name}-out`, 'findings.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function allFindings(): Promise<
  readonly { readonly id: number; readonly status: string; readonly finding: string }[]
> {
  const all = [];
  // Including findings that are part of others, because each is delivered.
  const query = { limit: 1000, status: 'eq:active', part_of: 'neq:-' };
  for await (const page of client.pages('ListAttackPathFindings', { query } as never)) all.push(...page);
  return all as never;
}

describe('the connector', () => {
  it('finds the files of the platform relative to its configuration', async () => {
    const platform = { type: 'webhook', url: 'https://127.0.0.1:9/', secret: `whsec_${'A'.repeat(44)}` };
    const config = await configure('paths', { platform: { ...platform, caBundle: 'missing.pem' } });
    const elsewhere = { url: service.url, home: join(directory, 'home'), directory: tmpdir() };
    const { stderr } = await runCommand(elsewhere, ['connector', 'test', '--config', config]);
    expect(stderr).toContain(join(directory, 'missing.pem'));
  });

  it('reports when a platform could not be reached', async () => {
    const soar = { url: 'https://127.0.0.1:9/', appKey: 'key' };
    const config = await configure('soar', { platform: { type: 'google-secops', soar } });
    const { code, stderr } = await clew('connector', 'test', '--config', config);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Google SecOps .*: the SOAR was not tested/)]);
  });

  it('tests first, delivers every finding once, and then nothing', async () => {
    const config = await configure('first');
    const looked = await clew('connector', 'test', '--config', config);
    expect(looked).toMatchObject({ code: 0, stderr: expect.stringMatching(/jsonl in .*: ready/) });
    expect(looked.stdout).toMatch(/ in \S+ \(\w+\): \d+ events, severity \w+/);
    expect(await linesOf('first')).toEqual([]);
    const findings = await allFindings();
    // Includes types of an extension and of checks, and the type of a relationship kind without its own type.
    expect(findings.map(({ finding }) => finding)).toEqual(
      expect.arrayContaining([...DECLARED, 'Gate_HasRole']),
    );
    // The export for security platforms also has them.
    const variables = { CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key };
    const user = { url: service.url, home: join(directory, 'home'), directory, variables };
    const { stdout } = await runCommand(user, ['findings', '--sarif']);
    const [{ results }] = JSON.parse(stdout).runs as [{ results: { ruleId: string }[] }];
    for (const type of DECLARED)
      expect([type, results.filter(({ ruleId }) => ruleId === type).length]).toEqual([
        type,
        findings.filter(({ finding }) => finding === type).length,
      ]);
    const run = await clew('connector', 'run', '--config', config);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^complete: \d+ new, 0 changed, 0 closed/),
    });
    const lines = await linesOf('first');
    expect(lines.map(({ attack_id }) => Number(attack_id)).sort((a, b) => a - b)).toEqual(
      findings.map(({ id }) => id).sort((a, b) => a - b),
    );
    expect((await clew('connector', 'run', '--config', config)).stdout).toMatch(
      /^complete: 0 new, 0 changed, 0 closed/,
    );
    expect(await linesOf('first')).toHaveLength(lines.length);
  });

  it('reports an acceptance, its end, and fixed findings', async () => {
    const config = await configure('life', FEW);
    await clew('connector', 'run', '--config', config);
    const before = (await linesOf('life')).length;
    const since = async () => {
      expect((await clew('connector', 'run', '--config', config)).code).toBe(0);
      const lines = (await linesOf('life')).slice(before);
      return lines.map(({ Change, attack_id, Status }) => [Change, Number(attack_id), Status]);
    };
    const query = { finding: 'eq:T0GenericAll', status: 'eq:active', limit: 1000 };
    const { data } = await client.call('ListAttackPathFindings', { query } as never);
    const [first, second] = data as {
      id: number;
      source_principal_id: string;
      target_principal_id: string;
    }[];
    const accept = (accepted: boolean) =>
      client.call('UpdateAttackPathRisk', {
        params: { attack_path_id: first?.id },
        body: { risk_type: 'T0GenericAll', accepted, accept_until: '2099-01-01T00:00:00Z' },
      } as never);
    await accept(true);
    expect(await since()).toEqual([['close', first?.id, 'accepted']]);
    await accept(false);
    expect((await since()).slice(1)).toEqual([['reopen', first?.id, 'active']]);
    await repair(second as never);
    const closed = (await since()).slice(2).filter(([change, id]) => change === 'close' && id === second?.id);
    expect(closed).toEqual([['close', second?.id, 'remediated']]);
  });

  it.each(sampledCases(DECLARED, 3))(
    'reports a finding of type %s once, its acceptance, and that it was fixed',
    async (type) => {
      const name = `declared-${type}`;
      const config = await configure(name, { selectedFindingTypes: type });
      const run = async () => {
        const before = (await linesOf(name)).length;
        // A second run reports nothing.
        for (let round = 0; round < 2; round++)
          expect((await clew('connector', 'run', '--config', config)).code).toBe(0);
        const lines = (await linesOf(name)).slice(before);
        return lines.map(({ Change, attack_id }) => `${Change} ${attack_id}`).sort();
      };
      const ofType = async () => (await allFindings()).filter(({ finding }) => finding === type);
      const open = await ofType();
      expect(open.length).toBeGreaterThan(0);
      expect(await run()).toEqual(open.map(({ id }) => `create ${id}`).sort());
      const [{ id }] = open as [(typeof open)[number]];
      const accept = (accepted: boolean) =>
        client.call('UpdateAttackPathRisk', {
          params: { attack_path_id: id },
          body: { risk_type: type, accepted, accept_until: '2099-01-01T00:00:00Z' },
        } as never);
      await accept(true);
      expect(await run()).toEqual([`close ${id}`]);
      await accept(false);
      expect(await run()).toEqual([`reopen ${id}`]);
      await mend(type);
      await vi.waitUntil(async () => (await ofType()).length === 0, { timeout: 100_000, interval: 200 });
      expect(await run()).toEqual(open.map((one) => `close ${one.id}`).sort());
    },
  );

  /** Removes the cause of the findings: the relationship, or the users' sign-in method. */
  async function mend(type: (typeof DECLARED)[number]): Promise<void> {
    if (type === 'Hub_CredentialOf_IntoZone') {
      await client.call('DeleteBloodHoundDatabase', {
        body: { deleteRelationships: ['Hub_CredentialOf'] },
      } as never);
      return;
    }
    const source = join(directory, 'platforms', 'gate_opengraph.json');
    const payload = JSON.parse(await readFile(source, 'utf8'));
    for (const { kinds, properties } of payload.graph.nodes)
      if (kinds[0] === 'Gate_User') properties.mfa = type === CHECK.name ? 'security key' : 'push';
    const file = join(directory, `mended-${type}.json`);
    await writeFile(file, JSON.stringify(payload));
    const { jobId } = await client.uploadFiles([file]);
    await client.waitForJob(jobId);
  }

  /** Collects again after the permission was removed. */
  async function repair(finding: {
    source_principal_id: string;
    target_principal_id: string;
  }): Promise<void> {
    const isMeant = (ace: { PrincipalSID: string }) =>
      ace.PrincipalSID.toUpperCase() === finding.source_principal_id;
    for (const name of await readdir(join(directory, 'forest'))) {
      const collection = JSON.parse(await readFile(join(directory, 'forest', name), 'utf8'));
      const object = collection.data?.find?.(
        (each: { ObjectIdentifier?: string }) =>
          each.ObjectIdentifier?.toUpperCase() === finding.target_principal_id,
      );
      if (object === undefined || !object.Aces?.some(isMeant)) continue;
      object.Aces = object.Aces.filter((ace: { PrincipalSID: string }) => !isMeant(ace));
      const file = join(directory, 'repaired.json');
      const data = [object];
      await writeFile(file, JSON.stringify({ ...collection, data, meta: { ...collection.meta, count: 1 } }));
      const { jobId } = await client.uploadFiles([file]);
      await client.waitForJob(jobId);
      return;
    }
    throw new Error('no object has the permission');
  }

  it('loses and duplicates nothing when its process is killed', async () => {
    const config = await configure('killed', { maxEventsPerAlert: 3 });
    const main = resolve(import.meta.dirname, 'main.ts');
    for (const after of [900, 1_300, 1_900]) {
      const child = spawn(process.execPath, [main, 'connector', 'run', '--config', config], {
        stdio: 'ignore',
      });
      const ended = new Promise((done) => child.once('exit', done));
      await delay(after);
      child.kill('SIGKILL');
      await ended;
    }
    expect((await clew('connector', 'run', '--config', config)).code).toBe(0);
    const ids = (await linesOf('killed')).map(({ attack_id }) => Number(attack_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort((a, b) => a - b)).toEqual(
      (await allFindings()).map(({ id }) => id).sort((a, b) => a - b),
    );
  });

  it('can keep its state in PostgreSQL, which one connector uses at a time', async () => {
    const database = await startTestDatabase();
    const { host = '', port, user, password, database: name } = database.connection;
    const postgres = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port ?? 5432}/${name}`;
    const config = await configure('postgres', { ...FEW, state: { postgres, schema: 'soc' } });
    expect((await clew('connector', 'run', '--config', config)).stdout).toMatch(/^complete: \d\d+ new/);
    const count = (await linesOf('postgres')).length;
    expect((await clew('connector', 'run', '--config', config)).stdout).toMatch(
      /^complete: 0 new, 0 changed, 0 closed/,
    );
    expect(await linesOf('postgres')).toHaveLength(count);
    await database.pool.query("select pg_advisory_lock(hashtext('clew connector'), hashtext('soc'))");
    expect(await clew('connector', 'run', '--config', config)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/another connector uses the state in schema soc/),
    });
    expect((await clew('connector', 'status', '--config', config)).stdout).toMatch(
      `delivered and open  ${count}`,
    );
    await database.close();
  });

  it('names the error, and ends with its own exit code', async () => {
    const wrongKey = await clew('connector', 'run', '--config', await configure('wrong', { tokenKey: 'x' }));
    expect([wrongKey.code, wrongKey.stderr]).toEqual([
      1,
      expect.stringMatching(/\(401\)\. Give the connector a new token/),
    ]);
    const wrongName = await configure('names', { selectedEnvironments: 'nowhere' });
    expect(await clew('connector', 'run', '--config', wrongName)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/unknown environment nowhere/),
    });
    const faulty = await configure('faulty', {
      tokenKey: 'env:NOT_THERE',
      runEvery: 'often',
      server: 'ftp://x',
    });
    expect((await clew('connector', 'run', '--config', faulty)).stderr).toMatch(
      /env:NOT_THERE not found.*runEvery/,
    );
    const away = await configure('away', {
      ...FEW,
      platform: { type: 'splunk-hec', url: 'http://127.0.0.1:1', token: 't' },
    });
    expect(await clew('connector', 'run', '--config', away)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/does not accept more: no answer from 127\.0\.0\.1:1/),
    });
    expect((await clew('connector', 'status', '--config', away)).stdout).toMatch(/waiting +\d{2,}/);
    expect((await clew('connector', 'test', '--config', away)).code).toBe(1);
  });
});

/** The public sample has three domains. */
const FORESTS = [
  { what: 'the generated forest', suffix: 'AURORA.EXAMPLE', domains: 2 },
  { what: 'the public sample', suffix: '.CORP', domains: 3, file: SAMPLE_FILE },
];

describe.each(sampledCases(FORESTS, 2))('$what', ({ suffix, domains, file }) => {
  it('is delivered once, with the fields that playbooks need', async () => {
    if (file !== undefined) {
      const { jobId } = await client.uploadFiles([file]);
      await client.waitForJob(jobId);
    }
    const environments = (await client.call('GetAvailableDomains')).data;
    const names = environments.flatMap(({ name, collected }) =>
      collected && name.endsWith(suffix) ? [name] : [],
    );
    expect(names).toHaveLength(domains);
    const config = await configure('sample', { selectedEnvironments: names });
    expect((await clew('connector', 'run', '--config', config)).code).toBe(0);
    const lines = await linesOf('sample');
    expect(new Set(lines.map(({ domain }) => domain))).toEqual(new Set(names));
    let count = 0;
    for await (const finding of client.entries('ListAttackPathFindings', {
      query: { limit: 1000, part_of: 'neq:-' } as never,
    }))
      if (names.includes(finding.environment_name)) count++;
    expect(lines).toHaveLength(count);
    const related = lines.filter((line) => line['Non Tier Zero Principal'] !== undefined).slice(0, 20);
    const { json } = await doesPathExist(client, related.map(({ details }) => details).join(','));
    expect([json.undecided, json.all_exist]).toEqual([false, true]);
    expect((await clew('connector', 'run', '--config', config)).stdout).toMatch(
      /^complete: 0 new, 0 changed, 0 closed/,
    );
  });
});

describe('clew connector watch', () => {
  it('runs, waits, and ends when interrupted', async () => {
    const config = await configure('watched', { ...FEW, runEvery: 1 });
    const abort = new AbortController();
    const [out, err] = [testScreen(), testScreen()];
    const watching = runCommandLine(
      {
        env: { HOME: join(directory, 'home') },
        ...{ out: out.screen, err: err.screen, directory, signal: abort.signal },
        askSecret: async () => '',
        withQuestions: () => Promise.reject(new Error('nothing is asked here')),
        readInput: async () => '',
      },
      ['connector', 'watch', '--config', config],
    );
    await vi.waitUntil(() => /next run in \d+ s/.test(err.text()), { timeout: 100_000, interval: 50 });
    expect(out.text()).toMatch(/^complete: \d\d+ new/);
    // During a run, its state can be shown, and a second run is refused.
    expect((await clew('connector', 'status', '--config', config)).stdout).toMatch(/waiting +0/);
    expect((await clew('connector', 'run', '--config', config)).stderr).toMatch(
      /another connector uses the state/,
    );
    abort.abort();
    expect(await watching).toBe(0);
    expect((await clew('connector', 'run', '--config', config)).code).toBe(0);
  });
});

describe('webhooks on the command line', () => {
  it('are added, tested, listed and removed', async () => {
    const user = { url: service.url, home: join(directory, 'home'), directory, secret: ADMIN_PASSWORD };
    const admin = (...args: string[]) => runCommand(user, args);
    await admin('login', '--user', 'admin');
    expect((await admin('webhooks')).stderr).toMatch(/No webhooks/);
    const added = await admin('webhook', 'add', 'SIEM', 'https://127.0.0.1:9/x', '--severity', 'high');
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^whsec_\S{40,}\n$/)]);
    expect(await admin('webhook', 'add', 'x', 'https://x.example', '--events', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--events contains nothing; available: finding\.opened/),
    });
    expect((await admin('webhook', 'test', 'siem')).code).toBe(0);
    await vi.waitUntil(
      async () => (await admin('webhook', 'deliveries', 'siem')).stdout.includes('CLEW_WEBHOOK_NETWORKS'),
      { timeout: 100_000, interval: 200 },
    );
    expect((await admin('webhooks')).stdout).toMatch(
      /SIEM +on +finding\.opened, finding\.resolved +never +1 +0/,
    );
    expect((await admin('webhook', 'remove', 'nobody')).stderr).toMatch(
      /there is no webhook named nobody; available: SIEM/,
    );
    expect((await admin('webhook', 'remove', 'SIEM')).code).toBe(0);
    expect((await admin('webhooks')).stdout).not.toContain('SIEM');
  });
});
