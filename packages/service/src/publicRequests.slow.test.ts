/**
 * Sends requests of public clients byte for byte: headers as written by those clients, on a raw socket, and compares the whole answers with
 * files in `test/publicRequests`. Times, new ids and signatures are replaced by placeholders. After a change of an answer, update them with
 * `npm test -- publicRequests -u`.
 */
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openSocket, readOneAnswer } from '@clew/server/testing';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWithoutPlans } from '../test/startTested.ts';
import type { RunningService } from './main.ts';

const PASSWORD = 'Correct-Horse-1';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

let directory: string;
let service: RunningService;
let bearer: string;
let token: { readonly id: string; readonly key: string };

/** Options of the forest, which is equal in each run. */
// The shape used for the recorded answers.
const OPTIONS = { users: 150, seed: 11, shape: 1 } as const;
const TENANT = generateTenant(OPTIONS);
const ROLE = encodeURIComponent(TENANT.route.to);
const DOMAIN = 'S-1-5-21-1782151533-1808037384-694406986';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-requests-'));
  service = await startWithoutPlans(join(directory, 'data'), PASSWORD);
  const json = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${service.url}/api/v2/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text).data;
  };
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  const answer = await fetch(`${service.url}/api/v2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  bearer = ((await answer.json()) as Json).data.session_token;
  token = await json('POST', 'tokens', { token_name: 'connector' });
  const archives = [join(directory, 'forest.zip'), join(directory, 'tenant.zip')] as const;
  await writeForestZip(generateForest(OPTIONS), archives[0]);
  await writeZip([TENANT.file], archives[1], () => {});
  const { id } = await json('POST', 'file-upload/start');
  for (const archive of archives)
    await fetch(`${service.url}/api/v2/file-upload/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip', authorization: `Bearer ${bearer}` },
      body: new Uint8Array(await readFile(archive)),
    });
  await json('POST', `file-upload/${id}/end`);
  const status = async () => (await json('GET', `file-upload?id=eq:${id}`))[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 100_000, interval: 200 });
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

type Heads = (method: string, target: string, body: Buffer) => readonly string[];

function signature(method: string, target: string, date: string, body: Buffer): string {
  const operation = createHmac('sha256', token.key)
    .update(method + target)
    .digest();
  const hour = createHmac('sha256', operation).update(date.slice(0, 13)).digest();
  return createHmac('sha256', hour).update(body).digest('base64');
}

/** Local time with an offset and microseconds, as Python writes it. */
const pythonDate = () => new Date(Date.now() + 2 * 3600_000).toISOString().replace('Z', '123+02:00');
/** Seconds and an offset, as Go writes it. */
const goDate = () => new Date(Date.now() - 5 * 3600_000).toISOString().replace(/\.\d+Z$/, '-05:00');

/** A connector of a security operations platform, in Python. */
const connector: Heads = (method, target, body) => {
  const date = pythonDate();
  return [
    'User-Agent: BloodHound Enterprise Integration',
    'Accept-Encoding: gzip, deflate',
    'Accept: */*',
    'Connection: keep-alive',
    `Authorization: bhesignature ${token.id}`,
    `RequestDate: ${date}`,
    `Signature: ${signature(method, target, date, body)}`,
    'Content-Type: application/json',
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ];
};

/** A collector, in Go. */
const collector: Heads = (method, target, body) => {
  const date = goDate();
  return [
    'User-Agent: azurehound/v2',
    `Content-Length: ${body.length}`,
    'Accept: application/json',
    `Authorization: bhesignature ${token.id}`,
    'Content-Encoding: gzip',
    'Content-Type: application/json',
    'Prefer: wait=60',
    `Requestdate: ${date}`,
    `Signature: ${signature(method, target, date, body)}`,
    'Accept-Encoding: gzip',
  ];
};

/** A page in a browser. */
const page: Heads = (_, __, body) => [
  'Accept: application/json, text/plain, */*',
  'Accept-Language: en-GB,en;q=0.9',
  `Authorization: Bearer ${bearer}`,
  'Cache-Control: no-cache',
  ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`, 'Content-Type: application/json']),
  'Sec-Fetch-Mode: cors',
  'User-Agent: Mozilla/5.0',
];

const stranger: Heads = () => ['User-Agent: curl/8.5.0', 'Accept: */*'];

async function exchange(
  heads: Heads,
  method: string,
  target: string,
  body: Buffer = Buffer.alloc(0),
): Promise<string> {
  const socket = await openSocket(service.url);
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: clew.example', ...heads(method, target, body)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  const answer = await readOneAnswer(socket);
  const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body;
  const shown = ['content-type', 'content-encoding', 'www-authenticate', 'etag', 'location'].filter(
    (name) => answer.headers[name] !== undefined,
  );
  const text = [
    ...lines,
    '',
    ...(body.length === 0 ? [] : [`(${body.length} bytes)`, '']),
    `${answer.status}`,
    ...shown.map((name) => `${name}: ${answer.headers[name]}`),
    '',
    bytes.toString(),
  ].join('\n');
  return masked(text);
}

/** Masks values that differ between runs. */
function masked(text: string): string {
  return text
    .replaceAll(bearer, '<session token>')
    .replaceAll(/(signature: ?)[\w+/=]{44}/gi, '$1<signature>')
    .replaceAll(/(requestdate: ).*/gi, '$1<date>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/("server_version":")[^"]+/g, '$1<version>')
    .replaceAll(/(etag: )\S+/g, '$1<etag>');
}

const CASES: readonly (readonly [
  name: string,
  heads: Heads,
  method: string,
  target: string,
  body?: Buffer,
])[] = [
  ['connector-environments', connector, 'GET', '/api/v2/available-domains'],
  ['connector-types', connector, 'GET', `/api/v2/domains/${DOMAIN}/available-types`],
  ['connector-title', connector, 'GET', '/api/v2/assets/findings/NonT0DCSyncers/title.md'],
  [
    'connector-short-remediation',
    connector,
    'GET',
    '/api/v2/assets/findings/NonT0DCSyncers/short_remediation.md',
  ],
  [
    'connector-findings-past-the-end',
    connector,
    'GET',
    `/api/v2/domains/${DOMAIN}/details?finding=Kerberoasting&skip=100000`,
  ],
  [
    'connector-short-description',
    connector,
    'GET',
    '/api/v2/assets/findings/NonT0DCSyncers/short_description.md',
  ],
  [
    'connector-long-remediation',
    connector,
    'GET',
    '/api/v2/assets/findings/NonT0DCSyncers/long_remediation.md',
  ],
  ['connector-findings', connector, 'GET', `/api/v2/domains/${DOMAIN}/details?finding=NonT0DCSyncers&skip=0`],
  ['connector-group', connector, 'GET', `/api/v2/groups/${DOMAIN}-512`],
  ['connector-other-asset', connector, 'GET', `/api/v2/base/${DOMAIN}-512`],
  ['connector-azure', connector, 'GET', `/api/v2/azure/roles?object_id=${ROLE}&counts=false`],
  [
    'connector-azure-by-kind',
    connector,
    'GET',
    `/api/v2/azure/AZRole?object_id=${ROLE}&related_entity_type=active-assignments&skip=0&limit=128`,
  ],
  [
    'connector-tenant-counts',
    connector,
    'GET',
    `/api/v2/azure/tenants?object_id=${TENANT.tenantId}&related_entity_type=descendent-key-vaults&skip=0&limit=128`,
  ],
  ['connector-object', connector, 'GET', '/api/v2/search?q=DOMAIN%20ADMINS%40AURORA.EXAMPLE'],
  [
    'connector-path',
    connector,
    'GET',
    `/api/v2/graphs/shortest-path?start_node=${DOMAIN}-512&end_node=${DOMAIN}`,
  ],
  [
    'connector-no-path',
    connector,
    'GET',
    `/api/v2/graphs/shortest-path?start_node=${DOMAIN}-514&end_node=${DOMAIN}`,
  ],
  ['connector-unknown-environment', connector, 'GET', '/api/v2/domains/S-1-5-21-1-2-3/available-types'],
  ['script-version', connector, 'GET', '/api/version'],
  ['script-tier-zero', connector, 'GET', '/api/v2/asset-groups?tag=eq%3Aadmin_tier_0'],
  [
    'script-cypher',
    connector,
    'POST',
    '/api/v2/graphs/cypher',
    Buffer.from('{"query":"MATCH (u:User) RETURN count(u)"}'),
  ],
  ['collector-start', collector, 'POST', '/api/v2/file-upload/start', gzipSync('')],
  ['script-deletes-built-in-extension', connector, 'DELETE', '/api/v2/extensions/1'],
  ['collector-calls-as-user', collector, 'GET', '/api/v2/jobs/available'],
  ['page-clients', page, 'GET', '/api/v2/clients?skip=0&limit=10'],
  ['page-self', page, 'GET', '/api/v2/self'],
  ['page-unknown-operation', page, 'GET', '/api/v2/never-heard-of'],
  [
    'page-clears-nothing',
    page,
    'POST',
    '/api/v2/clear-database',
    Buffer.from('{"deleteColectedGraphData":true}'),
  ],
  ['stranger', stranger, 'GET', '/api/v2/available-domains'],
];

describe('requests of public clients', () => {
  test.each(CASES.map((one) => [one[0], one] as const))(
    '%s',
    async (name, [, heads, method, target, body]) => {
      await expect(await exchange(heads, method, target, body)).toMatchFileSnapshot(
        `../test/publicRequests/${name}.txt`,
      );
    },
  );
});
