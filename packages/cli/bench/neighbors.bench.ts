/**
 * Measures how long one request delays others: the slowest request of each kind, one at a time, while another client repeats a small
 * request. Reports the maximum wait of the other client, including machine noise (see the first row), and the longest turn of the service's
 * event loop.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_STATUS } from '@clew/api';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, startServe } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { Probe } from './probe.ts';

/** Users of the forest: 10,000 and 100,000 objects. */
const USERS = { small: 4_300, large: 43_500 } as const;
const ROUNDS = 3;
const QUIET_MS = 3_000;
/** Sampling interval of the event loop, which is part of the result. */
const LOOP_RESOLUTION_MS = 10;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

interface Request {
  readonly name: string;
  readonly method?: string;
  readonly target: string;
  readonly body?: string | Buffer;
  /** Accepted statuses of the answer. */
  readonly statuses?: readonly number[];
}

export default {
  name: 'http: one request among others',
  async run({ scale }: { readonly scale: keyof typeof USERS }): Promise<Result[]> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const service = await startServe(join(directory, 'data'));
    try {
      const forest = generateForest({
        users: USERS[scale],
        seed: 1,
        collectedAt: Math.floor(Date.now() / 1000),
      });
      const archive = join(directory, 'forest.zip');
      await writeForestZip(forest, archive);
      const client = new ClewClient({ url: service.url });
      const { session_token: token } = await client.login('admin', ADMIN_PASSWORD);
      const { jobId } = await client.uploadFiles([archive]);
      const job = await client.waitForJob(jobId);
      if (job.status !== JOB_STATUS.complete) throw new Error(`the job ended with status ${job.status}`);
      const { fromName, toName } = forest.route;
      const [[from], [to]] = [await client.search(fromName), await client.search(toName)];
      const { data: environments } = await client.call('GetAvailableDomains');
      const domain = environments.find(({ collected }) => collected)?.id ?? '';
      return await measure(service.url, token, worstRequests(domain, from.objectid, to.objectid));
    } finally {
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function measure(url: string, token: string, requests: readonly Request[]): Promise<Result[]> {
  const headers = { authorization: `Bearer ${token}` };
  const probe = new Probe({ url: `${url}/api/v2/self`, headers });
  try {
    await sleep(500);
    await probe.take();
    await longestTurn(url, headers);
    await sleep(QUIET_MS);
    const quiet = await probe.take();
    const turn = await longestTurn(url, headers);
    const results: Result[] = [
      {
        name: 'nothing else',
        figures: {
          'median (ms)': round(quiet.median),
          'longest (ms)': round(quiet.longest),
          'event loop, longest turn (ms)': turn,
        },
      },
    ];
    for (const request of requests) results.push(await measureOne(url, headers, probe, request));
    return results;
  } finally {
    await probe.stop();
  }
}

/** The minimum of the rounds, because a disturbance of the machine affects only one. */
async function measureOne(
  url: string,
  headers: Readonly<Record<string, string>>,
  probe: Probe,
  request: Request,
): Promise<Result> {
  const { name, method = 'GET', target, body, statuses = [200] } = request;
  let [longest, turn, first, bytes, took] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0, 0];
  for (let at = 0; at < ROUNDS; at++) {
    await sleep(100);
    await longestTurn(url, headers);
    await sleep(20);
    await probe.take();
    const began = performance.now();
    const answer = await fetch(url + target, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: typeof body === 'object' ? new Uint8Array(body) : body,
    });
    bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += chunk.length;
    took = performance.now() - began;
    if (!statuses.includes(answer.status)) throw new Error(`${method} ${target} answered ${answer.status}`);
    await sleep(20);
    const report = await probe.take();
    const ownTurn = await longestTurn(url, headers);
    if (at === 0) first = ownTurn;
    longest = Math.min(longest, report.longest);
    turn = Math.min(turn, ownTurn);
  }
  return {
    name,
    figures: {
      'others wait at most (ms)': round(longest),
      'event loop, longest turn (ms)': turn,
      'the same, first time (ms)': first,
      'took (ms)': round(took),
      'answer (kB)': Math.ceil(bytes / 1000),
    },
  };
}

/** Since the last call. */
async function longestTurn(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error('the service has no metric of its event loop');
  return round(Math.max(0, Number(seconds) * 1000 - LOOP_RESOLUTION_MS));
}

function worstRequests(domain: string, from: string, to: string): readonly Request[] {
  const users = `${domain}-513`;
  const get = (name: string, target: string, statuses?: readonly number[]): Request => ({
    ...{ name, target: `/api/v2/${target}` },
    statuses,
  });
  const post = (name: string, target: string, body: string, statuses: readonly number[]): Request => ({
    ...{ name, method: 'POST', target: `/api/v2/${target}`, body, statuses },
  });
  const manyKeys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at])));
  const manyIds = (count: number) =>
    JSON.stringify({ member_ids: Array.from({ length: count }, (_, at) => at + 1e9), action: 1 });
  return [
    get('description as JSON', 'spec?format=json'),
    get('description as YAML', 'spec?format=yaml'),
    get('search, one letter', 'search?q=a&limit=1000'),
    get('search drawn', 'graph-search?query=a'),
    get('entity with all counts', `groups/${users}?counts=true`),
    get('members of a large group', `groups/${users}/members?limit=1000000`),
    get('members drawn', `groups/${users}/members?type=graph`, [200, 400]),
    get('controllables of administrators', `groups/${domain}-512/controllables?limit=1000000`),
    get('users of a domain', `domains/${domain}/users?limit=1000000`),
    get('shortest path', `graphs/shortest-path?start_node=${from}&end_node=${to}`),
    get(
      'shortest path over all kinds',
      `graphs/shortest-path?start_node=${users}&end_node=${domain}&only_traversable=false`,
      [200, 404],
    ),
    get('path drawn', `pathfinding?start_node=${from}&end_node=${to}`),
    get('whole graph', 'graphs/export'),
    get('all findings with texts', 'attack-paths/details'),
    get('all findings of all zones', 'attack-paths/findings?limit=0'),
    get('findings of a type', `domains/${domain}/details?finding=Kerberoasting&limit=0`),
    get('members of Tier Zero', 'asset-groups/1/members?limit=100000'),
    get('combined graph', `meta-trees/${domain}`, [200, 404]),
    get('kinds of edges', 'extensions-edges'),
    get('audit log', 'audit?limit=1000'),
    post('a body of many members', 'clear-database', manyKeys(2_000), [400]),
    post('a body that is too large', 'clear-database', manyKeys(400_000), [400, 413]),
    post('a list of many ids', 'asset-group-tags/certifications', manyIds(10_000), [404]),
    post('a list of too many ids', 'asset-group-tags/certifications', manyIds(40_000), [400]),
    post('a deep body', 'clear-database', '['.repeat(30_000), [400]),
    post('a wrong password', 'login', '{"login_method":"secret","username":"admin","secret":"no"}', [401]),
    {
      name: 'an upload of noise',
      method: 'POST',
      target: '/api/v2/file-upload/1',
      body: randomBytes(2e7),
      statuses: [400, 404, 409],
    },
  ];
}

const round = (value: number): number => Math.round(value * 10) / 10;
