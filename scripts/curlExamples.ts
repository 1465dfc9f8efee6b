/**
 * A curl request for each group of operations in `docs/api.md`: the first one that reads and needs at most one object, or the one in the
 * table. `packages/service/src/curlExamples.slow.test.ts` sends all of them.
 */
import { type RouteContract, routes } from '@clew/api';
import { readExamples } from '../packages/server/src/apiReference/openapi/examples.ts';

/** Operations that describe the group better than its first suitable one. */
const CHOSEN: Readonly<Record<string, string>> = {
  'Attack Paths': 'ListAttackPathFindings',
  Cypher: 'RunCypherQuery',
  Search: 'Search',
  Graph: 'GetKinds',
  Assistants: 'SendMcpMessage',
  Database: 'DeleteBloodHoundDatabase',
};

/** Queries and bodies that are better examples than the recorded requests. */
const SENT: Readonly<Record<string, { readonly query?: string; readonly body?: unknown }>> = {
  ListAttackPathFindings: { query: 'severity=eq:critical&sort_by=urgency&limit=5' },
  RunCypherQuery: { body: { query: 'MATCH (d:Domain) RETURN d.name', rows: true } },
  Search: { query: 'q=admin' },
  DeleteBloodHoundDatabase: { body: { deleteDataQualityHistory: true } },
  GetAzureEntity: { query: 'object_id=$id' },
};

/** Groups without a request that a user would send, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'Client Ingest': 'Collector clients send it, and sign it with their token.',
};

/** @returns the block with the request, or the sentence that explains why the group has none */
export function curlExample(tag: string): string {
  const reason = WITHOUT[tag];
  if (reason !== undefined) return reason;
  const group = routes.filter((route) => route.tag === tag);
  const named = CHOSEN[tag];
  const chosen = group.find(named === undefined ? isSimple : ({ operationId }) => operationId === named);
  if (chosen === undefined)
    throw new Error(`no example of the group ${tag}: choose one in ${import.meta.url}`);
  return ['```sh', commandOf(chosen), '```'].join('\n');
}

/** It reads, and needs at most an object, in `$id`. */
function isSimple({ method, params, query, responses }: RouteContract): boolean {
  const known = ['object_id', 'entity_type'];
  return (
    method === 'GET' &&
    responses[200] != null &&
    Object.keys(params?.properties ?? {}).every((name) => known.includes(name)) &&
    (query?.required ?? []).every((name) => known.includes(name))
  );
}

function commandOf({ operationId, method, path, access, bodyKind }: RouteContract): string {
  const { query = '', body = readExamples()[operationId]?.body } = SENT[operationId] ?? {};
  const target = path.replace('{object_id}', '$id').replace('{entity_type}', 'users');
  const hasBody = bodyKind === 'json' && body !== undefined;
  return [
    'curl -sS',
    ...(method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`]),
    `"$url${target}${query === '' ? '' : `?${query}`}"`,
    ...(access === 'none' ? [] : ['-H "Authorization: Bearer $token"']),
    ...(hasBody ? [`-H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`] : []),
  ].join(' ');
}
