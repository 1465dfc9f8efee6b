/** Tests the playbook and the tools for language models on a running service, with the official client. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ClewClient } from '@clew/client';
import { TOOLS } from '@clew/mcp';
import { newClient, REVISION_MODES, textOf } from '@clew/mcp/testing';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../test/runCommand.ts';
import { testScreen } from '../test/testScreen.ts';
import { runCommandLine } from './program/program.ts';

const forest = generateForest({ users: 60, seed: 11 });
let directory: string;
let service: ServiceHere;
let client: ClewClient;
let token: { readonly id: string; readonly key: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-assistants-'));
  service = await serveHere(directory);
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await writeForestZip(forest, join(directory, 'forest.zip'));
  const { jobId } = await client.uploadFiles([join(directory, 'forest.zip')]);
  await client.waitForJob(jobId);
  const self = (await client.call('GetSelf')).data;
  const body = { user_id: self.id, token_name: 'assistant' };
  token = (await client.call('CreateAuthToken', { body })).data as typeof token;
  const user = { url: service.url, home: join(directory, 'home'), directory, secret: ADMIN_PASSWORD };
  await runCommand(user, ['login', '--user', 'admin']);
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const clew = (...args: string[]) =>
  runCommand({ url: service.url, home: join(directory, 'home'), directory }, args);

interface ListedFinding {
  readonly id: number;
  readonly finding: string;
  readonly source_principal_id: string;
  readonly source_principal_name: string;
  readonly target_principal_id: string;
  readonly target_principal_name: string;
}

async function findings(finding: string): Promise<readonly ListedFinding[]> {
  const query = { finding: `eq:${finding}`, limit: 100 };
  return (await client.call('ListAttackPathFindings', { query } as never)).data as never;
}

const eventOf = (finding: ListedFinding) => ({
  name: `Attack Path ${finding.id}`,
  attack_id: String(finding.id),
  object_ids: [finding.source_principal_id, finding.target_principal_id].filter((id) => id !== '').join(', '),
  object_names: finding.target_principal_name,
  ShortRemediation: 'Take it away.',
  details:
    finding.source_principal_id &&
    JSON.stringify({
      FromPrincipal: finding.source_principal_id,
      ToPrincipal: finding.target_principal_id,
    }),
});

describe('clew investigate', () => {
  const investigate = async (events: readonly object[], name = 'An <b>alert</b>') => {
    await writeFile(join(directory, 'alert.json'), JSON.stringify({ name, events }));
    const { code, stdout, stderr } = await clew('investigate', 'alert.json', '--json');
    return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
  };

  it('confirms alerts that are still valid, with the path and both ends', async () => {
    const [finding] = await findings('T0GenericAll');
    const result = await investigate([eventOf(finding as ListedFinding)]);
    expect(result).toMatchObject({ code: 0, verdict: 'confirmed' });
    expect(result.events[0]).toMatchObject({ status: 'active', outcome: 'exists', path: { data: true } });
    expect(Object.keys(result.assets)).toEqual([finding?.source_principal_id, finding?.target_principal_id]);
    const written = await clew('investigate', 'alert.json', '--out', 'summary.md');
    expect(written.stdout).toContain('Remediation: Take it away.');
    expect(await readFile(join(directory, 'summary.md'), 'utf8')).toContain('# An \\<b\\>alert\\</b\\>');
  });

  it('accepts files of the connector, and findings without a source', async () => {
    const config = {
      ...{ server: service.url, tokenId: token.id, tokenKey: token.key, state: { directory: 'state' } },
      platform: { type: 'jsonl', directory: 'out' },
    };
    await writeFile(join(directory, 'connector.json'), JSON.stringify(config));
    expect((await clew('connector', 'run', '--config', 'connector.json')).code).toBe(0);
    const lines = (await readFile(join(directory, 'out', 'findings.jsonl'), 'utf8')).trim().split('\n');
    const list = lines.filter((line) => JSON.parse(line).finding_type === 'Kerberoasting').slice(0, 2);
    expect(list).toHaveLength(2);
    await writeFile(join(directory, 'events.jsonl'), list.join('\n'));
    const { code, stdout } = await clew('investigate', 'events.jsonl', '--json');
    expect([code, JSON.parse(stdout).verdict]).toEqual([0, 'confirmed']);
  });

  it('explains how to close accepted ones, and keeps open those that may not have ended', async () => {
    const [, accepted] = await findings('T0GenericAll');
    const params = { attack_path_id: accepted?.id };
    await client.call('UpdateAttackPathRisk', {
      params,
      body: { risk_type: 'T0GenericAll', accepted: true },
    } as never);
    expect(await investigate([eventOf(accepted as ListedFinding)])).toMatchObject({
      code: 11,
      verdict: 'accepted',
    });
    const guests = {
      FromPrincipal: `${accepted?.target_principal_id.replace(/-\d+$/, '-514')}`,
      ToPrincipal: accepted?.target_principal_id,
    };
    expect(await investigate([{ name: 'x', details: JSON.stringify(guests) }])).toMatchObject({
      code: 12,
      verdict: 'pending',
    });
    expect(await investigate([{ name: 'x', object_names: 'NO SUCH THING' }])).toMatchObject({
      code: 1,
      verdict: 'undecided',
    });
    expect(await investigate([{ name: 'x' }])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('contain neither'),
    });
    await writeFile(join(directory, 'broken.json'), '{"events":');
    expect((await clew('investigate', 'broken.json')).stderr).toContain('the alert is not JSON');
  });
});

const call = async (mcp: Client, name: string, input: Record<string, unknown> = {}) => {
  const answer = await mcp.callTool({ name, arguments: input });
  const { isError = false, structuredContent } = answer;
  const text = textOf(answer);
  if (!isError) expect(structuredContent).toEqual(JSON.parse(text));
  expect(text.length).toBeLessThanOrEqual(60_000);
  return { isError, text, json: isError ? undefined : JSON.parse(text) };
};

const processTransport = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [resolve(import.meta.dirname, 'main.ts'), 'mcp'],
    env: { CLEW_URL: service.url, CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key, HOME: directory },
    stderr: 'inherit',
  });

describe('clew mcp', () => {
  it('answers clients of earlier revisions on standard input and output', async () => {
    const mcp = newClient('legacy');
    await mcp.connect(processTransport());
    expect(mcp.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('list_findings');
    expect((await call(mcp, 'list_findings', { limit: 1 })).json.count).toBeGreaterThan(0);
    await expect(mcp.readResource({ uri: 'clew://finding/999999999' })).rejects.toThrow(/unknown finding/);
    await mcp.close();
  });

  it('provides its tools on standard input and output', async () => {
    const mcp = newClient('auto');
    await mcp.connect(processTransport());
    expect(mcp.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await mcp.listTools();
    const offered = TOOLS.filter(({ isAction }) => !isAction).map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(offered);
    expect(offered).not.toContain('fetch_assets');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect((await call(mcp, 'ping')).json).toMatchObject({ message: expect.any(String) });
    const page = (await call(mcp, 'list_findings', { finding: 'T0GenericAll', limit: 1 })).json;
    expect(page.next).toBe(1);
    const [finding] = page.findings;
    expect(
      (await call(mcp, 'list_findings', { finding: 't0genericall', limit: 1, next: 1 })).json.findings,
    ).not.toEqual(page.findings);
    expect((await call(mcp, 'get_finding', { id: finding.id })).json).toMatchObject({
      finding: { id: finding.id },
      short_remediation: expect.stringMatching(/\w/),
    });
    const { objects } = (await call(mcp, 'search_objects', { text: finding.target.name, limit: 1 })).json;
    expect(objects[0].object_id).toBe(finding.target.object_id);
    for (const object_id of [finding.target.object_id, finding.target.name])
      expect((await call(mcp, 'get_object', { object_id })).json).toMatchObject({
        name: finding.target.name,
      });
    const ends = { from: finding.source.object_id, to: finding.target.object_id };
    expect((await call(mcp, 'find_path', ends)).json).toMatchObject({
      exists: true,
      path: {
        hops: 1,
        nodes: [{ object_id: ends.from }, { object_id: ends.to }],
        steps: [{ kind: expect.any(String), phrase: expect.stringContaining(' ') }],
      },
    });
    const { paths } = (await call(mcp, 'list_alternative_paths', { ...ends, limit: 2 })).json;
    expect(paths.length).toBeGreaterThan(0);
    const guests = (await call(mcp, 'search_objects', { text: 'DOMAIN GUESTS', limit: 1 })).json.objects[0];
    const isolated = { from: guests.object_id, to: ends.to };
    const { to } = ends;
    const reach = (await call(mcp, 'who_can_reach', { object: to })).json;
    expect(reach.reaching_count).toBeGreaterThan(0);
    expect(reach.easiest_path.nodes.at(-1)).toMatchObject(reach.object);
    expect((await call(mcp, 'find_path', isolated)).json).toMatchObject({ exists: false, path: null });
    expect((await call(mcp, 'explain_no_path', isolated)).json).toMatchObject({
      exists: false,
      reason: { reached_from_start: expect.any(Number), reaching_end: expect.any(Number) },
    });
    expect((await call(mcp, 'get_posture', { limit: 2 })).json.posture).toHaveLength(2);
    for (const [name, rows] of [
      ['get_posture', 'posture'],
      ['get_plan', 'cards'],
    ] as const) {
      const overview = await call(mcp, name, { limit: 0 });
      expect(Buffer.byteLength(overview.text)).toBeLessThan(4_096);
      expect(overview.json).toMatchObject({
        [rows]: [],
        left_out: [expect.stringMatching(/^\w+: 0 of \d+ are shown; use a higher limit$/)],
      });
    }
    const misspelt = 'MATCH (n:User) WHERE n.enabeld RETURN n';
    expect((await call(mcp, 'query_graph', { query: misspelt })).json.warnings[0]).toBe(
      'no object has the property enabeld: did you mean enabled?',
    );
    const severe = { severity: 'CRITICAL', status: 'Active', limit: 1 };
    expect((await call(mcp, 'list_findings', severe)).json.count).toBeGreaterThan(0);
    const kind = { text: 'admin', kind: 'uSER', limit: 1 };
    expect((await call(mcp, 'search_objects', kind)).json.objects[0].kind).toBe('User');
    const asked = await call(mcp, 'query_graph', {
      query: 'MATCH (d:Domain) RETURN d.name AS name ORDER BY name',
      limit: 1,
    });
    expect(asked.json).toMatchObject({
      columns: ['name'],
      rows: [[expect.any(String)]],
      rows_total: expect.any(Number),
    });
    const { environments } = (await call(mcp, 'list_environments')).json;
    const scoped = { environment: environments[0].name, limit: 1 };
    expect((await call(mcp, 'list_findings', scoped)).json.count).toBeGreaterThan(0);
    expect((await call(mcp, 'get_plan', { limit: 1 })).json).toMatchObject({
      cards: [{ effect: { text: expect.any(String) }, packages: expect.any(Array) }],
    });
    const card = {
      uri: 'clew://card/1',
      name: 'card 1',
      description: expect.stringContaining(`${service.url}/ui/fix/1`),
    };
    expect((await mcp.listResources()).resources).toContainEqual(expect.objectContaining(card));
    const { contents } = await mcp.readResource({ uri: card.uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      ...{ page: `${service.url}/ui/fix/1`, number: 1, card: { packages: expect.any(Array) } },
    });
    await expect(mcp.readResource({ uri: 'clew://finding/999999999' })).rejects.toThrow(/unknown finding/);
    const { messages } = await mcp.getPrompt({ name: 'fix_first' });
    expect(JSON.stringify(messages)).toContain(`${service.url}/ui/fix/1`);
    const about = await mcp.getPrompt({
      name: 'investigate_object',
      arguments: { object: finding.target.name },
    });
    expect(JSON.stringify(about.messages)).toContain(`${service.url}/ui/finding/`);
    expect((await call(mcp, 'list_choke_points', { limit: 2 })).json).toMatchObject({
      exposed_count: expect.any(Number),
      objects: expect.any(Array),
    });
    const changed = (await call(mcp, 'what_if', { cards: 1 })).json;
    const exposed = (list: { exposed_count: number }[]) =>
      list.reduce((sum, one) => sum + one.exposed_count, 0);
    expect(exposed(changed.after)).toBeLessThanOrEqual(exposed(changed.before));
    const { remaining_paths: remaining } = changed;
    expect(remaining.end).toMatch(/\.$/);
    expect(remaining.is_complete).toBe(remaining.end === 'After these repairs, no path is left.');
    expect((await call(mcp, 'what_if', { disable: [finding.source.name] })).json).toMatchObject({
      closed_count: expect.any(Number),
    });
    expect((await call(mcp, 'get_differences', { since: '2020-01-01T00:00:00Z' })).json).toMatchObject({
      exposure: expect.any(Array),
    });
    expect((await call(mcp, 'get_differences', { since: '7d' })).json.reaches_back).toBe(false);
    expect((await call(mcp, 'list_changes', { since: '2W', limit: 1 })).json.changes).toHaveLength(1);
    const changes = await call(mcp, 'list_changes', { since: '2020-01-01T00:00:00Z', limit: 3 });
    expect(changes.json).toMatchObject({ has_more: true });
    for (const [name, input, message] of [
      ['get_finding', { id: 2 ** 30 }, /id: unknown finding.*list_findings/],
      ['get_finding', { id: 'one' }, /id must be an integer.*Arguments of get_finding: id/],
      ['list_findings', { limit: 1_000 }, /limit must be/],
      ['list_findings', { sql: 'x' }, /sql is not a known field/],
      ['list_findings', { owner: 'NOBODY' }, /owner: no user .*Such users: admin.*`none`/],
      ['list_findings', { next: 99_999 }, /next: the list has \d+ rows/],
      ['search_objects', { text: 'admin', kind: 'usr' }, /kind: no kind of objects.*Nearest: User/],
      ['list_changes', { since: 'yesterday' }, /since: "yesterday" is neither a time nor/],
      ['list_environments', { next: 500 }, /next: the list has \d+ rows/],
      [
        'what_if',
        { remove: [{ ...ends, kind: 'MembrOf' }] },
        /remove\.0\.kind: no kind of relationships.*Nearest: MemberOf/,
      ],
      ['list_findings', { environment: 'NOWHERE' }, /environment: no environment.*Available: \w/],
      ['list_findings', { finding: 'T0GenericAl' }, /finding: no finding type.*T0GenericAll/],
      ['list_findings', { principal: 'NO SUCH THING' }, /principal: no object/],
      ['get_posture', { environment: 'NOWHERE' }, /environment: no environment/],
      ['get_object', { object_id: 'S-1-5-21-0-0-0' }, /object_id: no object/],
      ['find_path', { from: `${finding.source.name}X`, to: ends.to }, /from: no object.*search_objects/],
      ['what_if', {}, /give at least one of cards, remove or disable/],
      ['fetch_assets', { object_ids: 'x' }, /unknown tool/],
      ['list_finding', {}, /unknown tool.*list_findings/],
    ] as const)
      expect(await call(mcp, name, input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(message),
      });
    await mcp.close();
  });

  it('uses the credentials of each caller over HTTP', async () => {
    const abort = new AbortController();
    const [out, err] = [testScreen(), testScreen()];
    const running = runCommandLine(
      {
        env: { HOME: join(directory, 'nobody'), CLEW_URL: service.url },
        ...{ out: out.screen, err: err.screen, directory, signal: abort.signal },
        askSecret: async () => '',
        withQuestions: () => Promise.reject(new Error('nothing is asked here')),
        readInput: async () => '',
      },
      ['mcp', '--http', '127.0.0.1:0', '--actions'],
    );
    const url = await vi.waitFor(
      () => {
        const [, found] = /listening on (\S+)/.exec(err.text()) ?? [];
        expect(found).toBeDefined();
        return found as string;
      },
      { timeout: 100_000 },
    );
    const connectWith = async (authorization: string, mode: (typeof REVISION_MODES)[number]) => {
      const mcp = newClient(mode);
      const requestInit = { headers: { authorization } };
      await mcp.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      return mcp;
    };
    const basic = `Basic ${Buffer.from(`${token.id}:${token.key}`).toString('base64')}`;
    for (const mode of REVISION_MODES) {
      const mcp = await connectWith(basic, mode);
      const { count, findings: listed } = (
        await call(mcp, 'list_findings', { finding: 'T0GenericAll', limit: 1 })
      ).json;
      expect(count).toBeGreaterThan(0);
      const [{ source, target }] = listed;
      const event_details = `${source.object_id} -> ${target.object_id}`;
      expect((await call(mcp, 'does_path_exist', { event_details })).json.resultValue).toBe('true');
      expect((await call(mcp, 'get_object_id', { object_names: target.name })).json.resultValue).toBe('true');
      expect((await call(mcp, 'fetch_assets', { object_ids: target.object_id })).json.resultValue).toBe(
        'true',
      );
      await mcp.close();
      const stranger = await connectWith('Bearer nonsense', mode);
      expect(await call(stranger, 'list_findings')).toMatchObject({
        isError: true,
        text: expect.stringContaining('401'),
      });
      await stranger.close();
    }
    const post = (headers: Record<string, string>, body = '{}') =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    expect((await post({})).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await post({ authorization: 'Bearer x' }, 'x')).status).toBe(400);
    expect((await post({ authorization: 'Bearer x' }, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    abort.abort();
    await running;
  });
});
