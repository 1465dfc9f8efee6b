/** Tests `--as` and `clew access check` on a running service, also with a service that shows too much. */
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampledCases } from '@clew/common/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let test: ServiceUnderTest;
let variables: Record<string, string>;
let own: Json;
let foreign: Json;

beforeAll(async () => {
  test = await ServiceUnderTest.start({}, { makesPlans: false });
  const { files } = generateForest({ users: 25, seed: 5 });
  await test.uploadBytes([...files].map((file) => [...fileText(file)].join('')));
  await test.settled();
  const token = await test.data('POST', 'tokens', { token_name: 'access' });
  variables = { CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key };
  const environments: Json[] = await test.data('GET', 'available-domains');
  own = environments.find(({ collected }) => collected);
  foreign = environments.find(({ id: other }) => other !== own.id);
  await test.addUser('ada', 'User', [own.id]);
}, 120_000);
afterAll(() => test.stop());

const run = (args: readonly string[], url = test.service.url) =>
  runCommand({ url, home: test.directory, directory: test.directory, variables }, args);

const auditCount = async (action: string): Promise<number> =>
  (await test.data('GET', `audit?action=eq:${action}&limit=1000`)).logs.length;

it('--as shows what the user sees, refuses changes, and ends with the command', async () => {
  const query = `MATCH (n:Domain) RETURN n.objectid`;
  const all = await run(['query', query, '--json']);
  const seen = await run(['--as', 'ada', 'query', query, '--json']);
  expect([all.code, seen.code]).toEqual([0, 0]);
  expect(all.stdout).toContain(foreign.id);
  expect(seen.stdout).toContain(own.id);
  expect(seen.stdout).not.toContain(foreign.id);
  const change = await run(['--as', 'ada', 'token', 'add', 'mine']);
  expect([change.code, change.stderr]).toEqual([1, expect.stringContaining('changes are off')]);
  const unknown = await run(['--as', 'stranger', 'query', query]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('user stranger not found')]);
  expect(await auditCount('BeginViewAs')).toBe(2);
  expect(await auditCount('EndViewAs')).toBe(2);
});

it('a user of one environment gets a status that names the refused parts', async () => {
  const whole = await run(['status']);
  expect(whole.stdout).toContain('collected');
  expect(whole.stdout).not.toContain('not shown');
  const limited = await run(['--as', 'ada', 'status']);
  expect([limited.code, limited.stderr]).toEqual([0, '']);
  expect(limited.stdout).toContain('Uploads are not shown: your role may not list them.');
  expect(limited.stdout).toContain('Counts are not shown: they cover environments outside your access.');
  const json = await run(['--as', 'ada', 'status', '--json']);
  expect([json.code, json.stderr]).toEqual([
    1,
    expect.stringContaining('not allowed: it covers environments outside your access'),
  ]);
});

it('limits a user to known environments, in any case of their IDs', async () => {
  const add = (name: string, ...ids: string[]) =>
    run(['user', 'add', name, '--environments', ids.join(','), '--generate']);
  expect(await add('known', own.id.toLowerCase())).toMatchObject({ code: 0 });
  const { users } = await test.data('GET', 'bloodhound-users');
  expect(users.find((user: Json) => user.principal_name === 'known')).toMatchObject({
    environment_targeted_access_control: { environments: [{ environment_id: own.id }] },
  });
  expect(await add('unknown', own.id, 'CORP')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('domain or tenant not found: CORP'),
  });
});

it('--as is refused by commands that would ignore it', async () => {
  for (const args of [
    ...[
      ['logout'],
      ['login'],
      ['serve'],
      ['demo'],
      ['doctor'],
      ['admin', 'migrate'],
      ['access', 'check', 'ada'],
    ],
    ...[
      ['completion', 'bash'],
      ['connector', 'status', '--config', 'x'],
      ['generate', '--out', 'x'],
      ['mcp', '--http', 'localhost:1'],
    ],
  ]) {
    const { code, stdout, stderr } = await run(['--as', 'ada', ...args]);
    expect([args, code, stdout, stderr]).toEqual([args, 2, '', expect.stringMatching(/^clew: --as is /)]);
  }
  expect((await run(['query', 'MATCH (n:Domain) RETURN n.objectid'])).code).toBe(0);
});

/** A proxy that adds texts to the answers of some paths. */
async function leaking(
  texts: readonly (readonly [path: RegExp, text: () => string])[],
): Promise<{ url: string; close: () => void }> {
  const server = createServer((asked: IncomingMessage, answer) => {
    const { hostname, port } = new URL(test.service.url);
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const onward = request(
      { hostname, port, method: asked.method, path: asked.url, headers },
      async (given) => {
        const body = Buffer.concat(await given.toArray()).toString();
        const isAnswer = asked.headers['clew-view-as'] !== undefined && given.statusCode === 200;
        const [, text] = texts.find(([path]) => isAnswer && path.test(asked.url ?? '')) ?? [];
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = given.headers;
        answer.writeHead(given.statusCode ?? 502, rest);
        answer.end(text ? body.replace(/\}$/, `,"leak":${JSON.stringify(text())}}`) : body);
      },
    );
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const OUTCOMES = [
  'reports an id and a name of hidden objects, with the requests that showed them',
  'finds nothing hidden',
];

// The report of two shown texts has no other: a run leaves the second check to the night.
it.each(sampledCases(OUTCOMES, 2))(
  'a check asks everything, and %s',
  async (outcome) => {
    const isLeaking = outcome === OUTCOMES[0];
    const proxy = await leaking(
      isLeaking
        ? [
            [/^\/api\/v2\/posture/, () => `controlled by ${foreign.id}-512`],
            [/^\/api\/v2\/available-domains/, () => foreign.name],
          ]
        : [],
    );
    try {
      // The proxy changes neither requests nor their signatures, which do not cover the host.
      const { code, stdout } = await run(['access', 'check', 'ada', '--json'], proxy.url);
      const report = JSON.parse(stdout);
      const shown = report.leaks.map(({ environment_id, request }: Json) => [environment_id, request]);
      const expected = [
        [foreign.id, expect.stringMatching(/^GET \/api\/v2\/available-domains/)],
        [foreign.id, expect.stringMatching(/^GET \/api\/v2\/posture/)],
      ];
      expect([code, shown.sort(), report.failed, report.not_asked]).toEqual(
        isLeaking ? [1, expected, [], 0] : [0, [], [], 0],
      );
      expect(report.seen_environments).toEqual([own.id]);
      expect(report.hidden_environments).toContain(foreign.id);
      expect(report.operations).toBeGreaterThan(200);
      expect(report.requests).toBeGreaterThan(500);
      expect(report.answers['200']).toBeGreaterThan(300);
      expect(report.texts).toBeGreaterThan(1_000);
    } finally {
      proxy.close();
    }
  },
  300_000,
);

it('a check without enough time says so, and fails', async () => {
  const { code, stderr } = await run(['access', 'check', 'ada', '--minutes', '0']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a number from 1')]);
});
