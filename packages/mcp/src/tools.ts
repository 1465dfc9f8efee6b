/**
 * What language models may ask: read-only tools over one client, whose permissions are those of its credentials. Answers are
 * bounded. Names come from the directory: they are data, whatever they say. Rule: `docs/integration.md#mcp`.
 */
import { type CardRecord, Severity } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { doesPathExist, fetchAssets, findFinding, getObjectId, ping, schemaFaults } from '@clew/connector';
import Type, { type Static, type TObject } from 'typebox';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** @returns what goes out as JSON @throws ToolError for input that does not fit, and errors of the client */
  run(client: ClewClient, input: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Its message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Characters of an answer. */
export const MAX_ANSWER = 60_000;
const MAX_TEXT = 2_000;

function tool<Schema extends TObject>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  readonly run: (client: ClewClient, input: Static<Schema>, signal: AbortSignal) => Promise<unknown>;
}): Tool {
  const { input, run, ...rest } = definition;
  return {
    ...rest,
    inputSchema: input,
    async run(client, value, signal) {
      const given = value ?? {};
      const faults = schemaFaults(input, given);
      if (faults.length > 0) throw new ToolError(faults.join('; '));
      return run(client, given as Static<Schema>, signal);
    },
  };
}

const object = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
const limit = (most: number, byDefault: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: `At most so many; ${byDefault} when absent` }),
  );

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'ping',
    title: 'Check the connection',
    description: 'Whether the attack path service answers and accepts the credentials; its version.',
    input: object({}),
    run: async (client, _, signal) => ping(client, client.transport.url, signal),
  }),
  tool({
    name: 'list_environments',
    title: 'List environments',
    description:
      'Domains and tenants that these credentials may see: id, name, type, whether they were collected.',
    input: object({}),
    run: async (client, _, signal) => (await client.call('GetAvailableDomains', {}, { signal })).data,
  }),
  tool({
    name: 'search_objects',
    title: 'Search objects',
    description:
      'Users, groups, computers and other objects by a part of their name or by object id; exact hits first.',
    input: object({
      text: Type.String({ minLength: 1, maxLength: 500 }),
      kind: Type.Optional(Type.String({ description: 'Only objects of this kind, say User or Group' })),
      limit: limit(50, 10),
    }),
    run: (client, { text, kind, limit: most = 10 }, signal) =>
      client.search(text, { kind, limit: most, signal }),
  }),
  tool({
    name: 'get_object',
    title: 'Get an object',
    description:
      'Properties of one object by its id, with counts of what it belongs to, administers and controls.',
    input: object({ object_id: Type.String({ minLength: 1, maxLength: 500 }) }),
    async run(client, { object_id }, signal) {
      const { assets_info } = (await fetchAssets(client, JSON.stringify([object_id]), { signal })).json;
      const [asset] = Object.values(assets_info);
      if (asset?.data == null) throw new ToolError(asset?.message ?? 'Object Id not available');
      return asset.data;
    },
  }),
  tool({
    name: 'find_path',
    title: 'Find the shortest attack path',
    description:
      'How control can be taken from one object over another: one of the shortest chains of objects and edges, or that there is none.',
    input: object({
      from: Type.String({ minLength: 1, description: 'Object id' }),
      to: Type.String({ minLength: 1, description: 'Object id' }),
    }),
    async run(client, { from, to }, signal) {
      const { path_info, undecided } = (await doesPathExist(client, `${from} -> ${to}`, signal)).json;
      const [path] = Object.values(path_info);
      if (path === undefined || undecided)
        throw new ToolError(path?.message ?? 'the path could not be checked');
      return { exists: path.data, hops: path.hops, nodes: path.nodes, edges: path.edges };
    },
  }),
  tool({
    name: 'query_graph',
    title: 'Ask the graph in Cypher',
    description:
      'Runs a Cypher query that reads; writing is refused. Labels are kinds (User, Group, Computer, Tag_Tier_Zero), types are kinds of edges (MemberOf, AdminTo), properties are lower case (name, objectid, enabled). Use LIMIT. Rows come back as a table; an error says what is wrong and where.',
    input: object({
      query: Type.String({ minLength: 1, maxLength: 10_000 }),
      limit: limit(200, 50),
    }),
    async run(client, { query, limit: most = 50 }, signal) {
      const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal });
      const { columns = [], rows = [], warnings = [] } = data;
      return {
        columns,
        rows: rows.slice(0, most),
        rows_total: rows.length,
        ...(warnings.length > 0 && { warnings }),
      };
    },
  }),
  tool({
    name: 'list_findings',
    title: 'List findings',
    description:
      'What to repair, in the order in which it helps: severity and its reason, type, source, target, exposure (fraction of principals that can take it), impact, and which repair of the plan closes it. Filters narrow it down.',
    input: object({
      environment_id: Type.Optional(Type.String()),
      severity: Type.Optional(Severity),
      finding: Type.Optional(Type.String({ description: 'Finding type, say T0GenericAll' })),
      status: Type.Optional(
        Type.Union([
          Type.Literal('active'),
          Type.Literal('accepted'),
          Type.Literal('remediated'),
          Type.Literal('orphaned'),
          Type.Literal('deprecated'),
        ]),
      ),
      principal_id: Type.Optional(Type.String({ description: 'Object id of the target' })),
      limit: limit(100, 25),
      skip: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    async run(client, { limit: most = 25, skip = 0, principal_id, ...filters }, signal) {
      const query = {
        ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, `eq:${value}`])),
        ...(principal_id !== undefined && { target_principal_id: `eq:${principal_id}` }),
        sort_by: ['urgency'],
        limit: most,
        skip,
      };
      const { data, count } = await client.call('ListAttackPathFindings', { query } as never, { signal });
      return { count, findings: data };
    },
  }),
  tool({
    name: 'get_finding',
    title: 'Get a finding with its remedy',
    description: 'One finding by its number, with what its type means and how to repair it.',
    input: object({ id: Type.Integer({ minimum: 1 }) }),
    async run(client, { id }, signal) {
      const finding = await findFinding(client, id, signal);
      if (finding === undefined) throw new ToolError(`there is no finding ${id}`);
      const zone = finding.asset_group_tag_id > 1 ? `?asset_group_tag_id=${finding.asset_group_tag_id}` : '';
      const text = (asset: string) => {
        const target = `/api/v2/assets/findings/${encodeURIComponent(finding.finding)}/${asset}${zone}`;
        return client.transport.send({ method: 'GET', target, signal }, (answer) => answer.text());
      };
      return {
        finding,
        short_description: await text('short_description'),
        short_remediation: await text('short_remediation'),
        long_remediation: await text('long_remediation'),
      };
    },
  }),
  tool({
    name: 'get_posture',
    title: 'Get posture',
    description:
      'How exposed environments are: exposure of Tier Zero (fraction), size of the zone, critical findings; latest analyses first.',
    input: object({ environment_id: Type.Optional(Type.String()), limit: limit(100, 20) }),
    async run(client, { environment_id, limit: most = 20 }, signal) {
      const query = {
        ...(environment_id !== undefined && { domain_sid: `eq:${environment_id}` }),
        sort_by: '-created_at',
        limit: most,
      };
      return (await client.call('GetPostureStats', { query } as never, { signal })).data;
    },
  }),
  tool({
    name: 'get_plan',
    title: 'What to repair first',
    description:
      'The plan of Tier Zero: cards of changes that help together, in order, each with exposure before and after, what to change, check and risk, cost, and the attack path that it cuts.',
    input: object({ limit: limit(20, 3) }),
    async run(client, { limit: most = 3 }, signal) {
      const plan = await client.plan({ limit: most }, { signal, wait: 60 });
      const { before, effort, cards, card_count, end, not_read, excluded, computing } = plan;
      return { before, effort, cards: cards.map(shortCard), card_count, end, not_read, excluded, computing };
    },
  }),
  tool({
    name: 'list_changes',
    title: 'What changed',
    description:
      'What became of findings since a time: opened, changed, accepted, resolved, oldest first. `next` goes on where it ended.',
    input: object({
      since: Type.String({ description: 'RFC 3339, or `next` of an earlier answer' }),
      limit: limit(100, 50),
    }),
    run: (client, { since, limit: most = 50 }, signal) =>
      client.call('ListChanges', { query: { since, limit: most } }, { signal }),
  }),
  tool({
    name: 'get_object_id',
    title: 'Get Object Id (action)',
    description: 'Object ids by names, as the action of security platforms gives them.',
    input: object({ object_names: Type.String({ description: 'Separated by commas, or a JSON array' }) }),
    run: (client, { object_names }, signal) => getObjectId(client, object_names, signal),
  }),
  tool({
    name: 'does_path_exist',
    title: 'Does Path Exist (action)',
    description:
      'Whether there is an attack path for each pair: details of events as JSON, or A -> B, one per line. Undecided is not "no".',
    input: object({ event_details: Type.String() }),
    run: (client, { event_details }, signal) => doesPathExist(client, event_details, signal),
  }),
  tool({
    name: 'fetch_assets',
    title: 'Fetch Assets (action)',
    description: 'What is known of objects by their ids, as the action of security platforms gives it.',
    input: object({
      object_ids: Type.String({ description: 'Separated by commas, or a JSON array; at most 20' }),
    }),
    async run(client, { object_ids }, signal) {
      if (object_ids.split(',').length > 20) throw new ToolError('at most 20 objects at a time');
      return fetchAssets(client, object_ids, { signal });
    },
  }),
];

/** @returns JSON of at most `MAX_ANSWER` characters: long texts and lists are cut, and it says so */
export function boundedJson(value: unknown): string {
  for (let most = 1_000; most >= 1; most = Math.floor(most / 2)) {
    const cut = { isCut: false };
    const shown = shorten(value, most, cut);
    const text = JSON.stringify(cut.isCut ? { truncated: true, result: shown } : shown);
    if (text.length <= MAX_ANSWER) return text;
  }
  return JSON.stringify({ truncated: true, result: null });
}

function shorten(value: unknown, most: number, cut: { isCut: boolean }): unknown {
  if (typeof value === 'string') {
    // The shorter the lists have to be, the shorter the texts.
    const length = Math.min(MAX_TEXT, most * 20);
    if (value.length <= Math.max(length, 200)) return value;
    cut.isCut = true;
    return `${value.slice(0, Math.max(length, 200)).toWellFormed()}...`;
  }
  if (Array.isArray(value)) {
    if (value.length > most) cut.isCut = true;
    return value.slice(0, most).map((each) => shorten(each, most, cut));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > most * 4) cut.isCut = true;
  return Object.fromEntries(
    entries.slice(0, most * 4).map(([name, each]) => [name, shorten(each, most, cut)]),
  );
}

/** Without lists that an assistant would only count. */
function shortCard({ closed: _, opened: __, packages, ...card }: CardRecord) {
  return {
    ...card,
    packages: packages.map(({ key, title, fix, check, risk, cost, change_count, affected_count }) => ({
      ...{ key, title, fix, check, risk, cost, change_count, affected_count },
    })),
  };
}
