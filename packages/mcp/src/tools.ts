/**
 * Tools for language models: read-only, over one client, with the permissions of its credentials. Answers are bounded. Names come
 * from the directory and are always treated as data. Rule: `docs/integration.md#mcp`.
 */
import { Severity, type UnifiedFindingRow } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { fetchAssets, findFinding, ping } from '@clew/connector';
import { readTime, TIME_FORMS, unreadSentence } from '@clew/model';
import Type from 'typebox';
import { ACTION_TOOLS } from './actionTools.ts';
import { MAX_ANSWER } from './boundedAnswer.ts';
import { framed } from './frame.ts';
import { environmentId, findingType, nodeKind, objectOf, ownerName } from './names.ts';
import { PLAN_TOOLS } from './planTools.ts';
import { fittingRows, pageOf } from './rows.ts';
import {
  type Answer,
  checkNext,
  LeftOut,
  List,
  limit,
  limitOrNone,
  MissingError,
  Next,
  next,
  object,
  since,
  type Tool,
  ToolError,
  text,
  tool,
} from './tool.ts';

/** The fields of a finding in lists; `get_finding` has the rest. */
function shortFinding(row: UnifiedFindingRow) {
  const {
    id,
    severity,
    severity_reason,
    finding,
    title,
    status,
    environment_name,
    zone_name,
    closed_by,
    lowered_by,
    not_closed,
    owner_name,
  } = row;
  const end = (which: 'source' | 'target') =>
    row[`${which}_principal_id`] === ''
      ? undefined
      : {
          object_id: row[`${which}_principal_id`],
          name: row[`${which}_principal_name`],
          kind: row[`${which}_principal_kind`],
        };
  return {
    ...{ id, severity, severity_reason, finding, title, status, environment_name, zone_name },
    ...(owner_name && { owner: owner_name }),
    ...{ source: end('source'), target: end('target') },
    ...{ exposure: row.exposure_percentage, impact: row.impact_percentage },
    ...{ closed_by, lowered_by, not_closed },
  };
}

/** `me` and `none` are keywords of the service. */
async function ownerFilter(client: ClewClient, given: string, signal: AbortSignal) {
  const word = given.trim().toLowerCase();
  if (word === 'me' || word === 'none') return { owner: word };
  return { owner_name: await ownerName(client, 'owner', given, signal) };
}

/** Unread data does not mean safety. @returns a sentence for each environment with an unread part */
async function notRead(
  client: ClewClient,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const { data } = await client.call('GetAvailableDomains', {}, { signal });
  return data
    .filter(({ id }) => environment === undefined || id === environment)
    .flatMap(({ name, not_read }) => unreadSentence(name, not_read) ?? []);
}

/** @param since a time, or the position of an earlier page @throws ToolError if it is neither */
async function changesSince(client: ClewClient, since: string, limit: number, signal: AbortSignal) {
  // Positions in the feed are opaque: any other text may be one.
  const time = readTime(since, new Date());
  const query = { since: time ?? since, limit };
  return client.call('ListChanges', { query }, { signal }).catch((error: unknown) => {
    if (time !== undefined || !(error instanceof ApiError) || error.status !== 400) throw error;
    throw new ToolError(
      `since: "${since}" is neither a time nor \`next\` of an earlier answer. Write ${TIME_FORMS}.`,
    );
  });
}

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'ping',
    title: 'Check the connection',
    description: 'Whether the attack path service responds and accepts the credentials; its version.',
    input: object({}),
    output: { message: Type.String() },
    async run(client, _, signal) {
      const { status, resultValue, message, json } = await ping(client, client.transport.url, signal);
      if (status === 'failed' || resultValue !== 'true') throw new ToolError(message);
      return { message, ...json };
    },
  }),
  tool({
    name: 'list_environments',
    title: 'List environments',
    description:
      'Domains and tenants that these credentials can see: ID, name, type, and whether they were collected.',
    input: object({ limit: limit(500, 100), next }),
    output: { environments: List, count: Type.Integer(), next: Next },
    async run(client, { limit: most = 100, next: skip = 0 }, signal, size) {
      const { data } = await client.call('GetAvailableDomains', {}, { signal });
      const { length: count } = data;
      checkNext(skip, count);
      return pageOf(
        { count },
        { name: 'environments', rows: data.slice(skip, skip + most), skip, count },
        size,
      );
    },
  }),
  tool({
    name: 'search_objects',
    title: 'Search objects',
    description:
      'Users, groups, computers and other objects by a part of their name or by object ID; exact matches first.',
    input: object({
      text: text('Name or object id, or a part of one'),
      kind: Type.Optional(text('Only objects of this kind, such as User or Group')),
      limit: limit(50, 10),
      next,
    }),
    output: { objects: List, next: Next },
    async run(client, { text: wanted, kind, limit: most = 10, next: skip = 0 }, signal, size) {
      const ofKind = kind && (await nodeKind(client, 'kind', kind, signal));
      const hits = await client.search(wanted, { kind: ofKind, skip, limit: most + 1, signal });
      if (hits.length === 0) checkNext(skip, 0);
      const rows = hits.slice(0, most).map(({ objectid, name, type, distinguishedname, system_tags }) => ({
        ...{ object_id: objectid, name, kind: type, distinguishedname, system_tags },
      }));
      return pageOf({}, { name: 'objects', rows, skip, count: skip + hits.length }, size);
    },
  }),
  tool({
    name: 'get_object',
    title: 'Get an object',
    description:
      'Properties of one object, with counts of its groups and of the objects that it administers and controls.',
    input: object({ object_id: text('Object id or name') }),
    output: { objectid: Type.String(), name: Type.String() },
    async run(client, { object_id }, signal) {
      const { objectid } = await objectOf(client, 'object_id', object_id, signal);
      const { assets_info } = (await fetchAssets(client, JSON.stringify([objectid]), { signal })).json;
      const [asset] = Object.values(assets_info);
      if (asset?.data == null) throw new ToolError(`object_id: ${asset?.message ?? 'it is not available'}`);
      return asset.data;
    },
  }),
  ...PLAN_TOOLS,
  tool({
    name: 'query_graph',
    title: 'Ask the graph in Cypher',
    description:
      'Runs a read-only Cypher query; writing is refused. Labels are kinds (User, Group, Computer, Tag_Tier_Zero), types are kinds of edges (MemberOf, AdminTo), properties are lowercase (name, objectid, enabled). Use LIMIT. Rows are returned as a table; an error contains its cause and place.',
    input: object({
      query: Type.String({ minLength: 1, maxLength: 10_000 }),
      limit: limit(200, 50),
      next,
    }),
    output: { columns: List, rows: List, rows_total: Type.Integer(), next: Next },
    async run(client, { query, limit: most = 50, next: skip = 0 }, signal, size) {
      const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal });
      const { columns = [], rows = [], warnings = [] } = data;
      const { length: count } = rows;
      checkNext(skip, count);
      const frame = { columns, rows_total: count, ...(warnings.length > 0 && { warnings }) };
      return pageOf(frame, { name: 'rows', rows: rows.slice(skip, skip + most), skip, count }, size);
    },
  }),
  tool({
    name: 'list_findings',
    title: 'List findings',
    description:
      'What to repair, in the order in which it helps: severity and its reason, type, source, target, exposure (fraction of principals that can take it), impact, and which repair of the plan closes it or why none does. What was not read (not_read) has no findings, which is not safety. Filters narrow it down; get_finding has the remedy.',
    input: object({
      environment: Type.Optional(text('Name or object id of a domain or tenant')),
      severity: Type.Optional(Severity),
      finding: Type.Optional(text('Finding type, such as T0GenericAll')),
      status: Type.Optional(
        Type.Union([
          Type.Literal('active'),
          Type.Literal('accepted'),
          Type.Literal('remediated'),
          Type.Literal('orphaned'),
          Type.Literal('deprecated'),
        ]),
      ),
      principal: Type.Optional(text('Name or object id of the target')),
      owner: Type.Optional(text('Name of the user who works on it, `me`, or `none`')),
      limit: limit(100, 25),
      next,
    }),
    output: { count: Type.Integer(), findings: List, not_read: List, next: Next },
    async run(client, input, signal, size) {
      const { environment, severity, finding, status, principal, owner, limit: most = 25 } = input;
      const { next: skip = 0 } = input;
      const chosen = {
        environment_id: environment && (await environmentId(client, 'environment', environment, signal)),
        finding: finding && (await findingType(client, 'finding', finding, signal)),
        target_principal_id: principal && (await objectOf(client, 'principal', principal, signal)).objectid,
        ...{ severity, status },
        ...(owner && (await ownerFilter(client, owner, signal))),
      };
      const filters = Object.entries(chosen)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, `eq:${value}`]);
      const query = { ...Object.fromEntries(filters), sort_by: ['urgency'], limit: most, skip };
      const { data, count } = await client.call('ListAttackPathFindings', { query } as never, { signal });
      checkNext(skip, count);
      const not_read = await notRead(client, chosen.environment_id || undefined, signal);
      const rows = data.map(shortFinding);
      return pageOf({ count, not_read }, { name: 'findings', rows, skip, count }, size);
    },
  }),
  tool({
    name: 'get_finding',
    title: 'Get a finding with its remediation',
    description: 'One finding by its number, with what its type means and how to repair it.',
    input: object({ id: Type.Integer({ minimum: 1 }) }),
    output: { finding: Type.Unknown(), short_remediation: Type.String() },
    async run(client, { id }, signal) {
      const finding = await findFinding(client, id, signal);
      if (finding === undefined)
        throw new MissingError(`id: unknown finding ${id}. list_findings has the numbers.`);
      const zone = finding.asset_group_tag_id > 1 ? `?asset_group_tag_id=${finding.asset_group_tag_id}` : '';
      const asked = (asset: string) => {
        const target = `/api/v2/assets/findings/${encodeURIComponent(finding.finding)}/${asset}${zone}`;
        return client.transport.send({ method: 'GET', target, signal }, (answer) => answer.text());
      };
      return {
        finding,
        short_description: await asked('short_description'),
        short_remediation: await asked('short_remediation'),
        long_remediation: await asked('long_remediation'),
      };
    },
  }),
  tool({
    name: 'get_posture',
    title: 'Get posture',
    description:
      'Exposure of environments: exposure of Tier Zero (fraction), size of the zone, critical findings; latest analyses first. The overview contains the score of all environments with its reasons, and counts of open findings; limit 0 returns only the overview.',
    input: object({
      environment: Type.Optional(text('Name or object id of a domain or tenant')),
      limit: limitOrNone(100, 20),
      next,
    }),
    output: { overview: Type.Unknown(), posture: List, count: Type.Integer(), next: Next, left_out: LeftOut },
    async run(client, { environment, limit: most = 20, next: skip = 0 }, signal, size) {
      const id = environment && (await environmentId(client, 'environment', environment, signal));
      const query = { ...(id && { domain_sid: `eq:${id}` }), sort_by: '-created_at', limit: most, skip };
      const { data, count } = await client.call('GetPostureStats', { query } as never, { signal });
      checkNext(skip, count);
      const { score, findings } = (await client.call('GetPostureSummary', {}, { signal })).data;
      const others = most === 0 ? 'use a higher limit' : 'use `next` for more';
      // The public list treats a limit of 0 as no limit.
      const rows = data.slice(0, most);
      return framed(
        { overview: { score, findings }, count },
        { name: 'posture', rows, skip, count, others },
        size,
      );
    },
  }),
  tool({
    name: 'list_changes',
    title: 'Changes of findings',
    description:
      'Changes of findings since a time: opened, changed, accepted, resolved, oldest first. `next` continues where it ended.',
    input: object({
      since: since(', or `next` of an earlier answer'),
      limit: limit(100, 50),
    }),
    output: { changes: List, next: Type.String(), has_more: Type.Boolean() },
    async run(client, { since: given, limit: most = 50 }, signal, size = MAX_ANSWER) {
      for (let limit = most; ; ) {
        const page = await changesSince(client, given, limit, signal);
        const rows = page.data.map(({ finding, ...change }) => ({
          ...change,
          finding: shortFinding(finding),
        }));
        const { shown, isCut } = fittingRows(rows, size - page.next.length);
        const { next, has_more } = page;
        if (shown.length === rows.length)
          return { changes: shown, next, has_more, ...((isCut || limit < most) && { truncated: true }) };
        // The position after a change is opaque: only a page that ends with this change has it.
        limit = shown.length;
      }
    },
  }),
  ...ACTION_TOOLS,
];

/** Runs a tool for other parts of the server. @param size as for tools */
export function runTool(
  name: string,
  client: ClewClient,
  input: object,
  signal: AbortSignal,
  size?: number,
): Promise<Answer> {
  const found = TOOLS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no tool ${name}`);
  return found.run(client, input, signal, size);
}
