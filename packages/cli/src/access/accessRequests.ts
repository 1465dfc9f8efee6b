/** All requests of a check of access: each operation that reads, with values of both sides. */
import { isReading, type RouteContract, routes } from '@clew/api';
import type { AccessValues } from './accessValues.ts';

export interface AccessRequest {
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  readonly body?: object;
  /** Values in the request, which its answer may repeat. */
  readonly asked: readonly string[];
}

/** They describe the service itself, are for operators, or begin something. */
const WITHOUT_DATA = new Set([
  ...['GetApiSpec', 'GetApiSpecFile', 'GetApiReference', 'GetApiReferenceFile', 'GetMetrics', 'GetHealth'],
  ...['GetReadiness', 'DownloadCollector', 'GetKennelAsset', 'FindEnvironments'],
]);
/** Combinations of values per operation. */
const MAX_COMBINATIONS = 24;

/** @param permissions of the user */
export function accessRequests(
  permissions: ReadonlySet<string>,
  values: AccessValues,
): readonly AccessRequest[] {
  return readable(permissions).flatMap((route) => requestsTo(route, values));
}

const readable = (permissions: ReadonlySet<string>): readonly RouteContract[] =>
  routes.filter(
    ({ access, operationId, ...route }) =>
      isReading(route) &&
      !WITHOUT_DATA.has(operationId) &&
      (typeof access === 'string' || access.some((permission) => permissions.has(permission))),
  );

type Filled = Readonly<Record<string, string>>;

function requestsTo(route: RouteContract, values: AccessValues): readonly AccessRequest[] {
  const { operationId, method, path, query } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const required = (query?.required ?? []) as readonly string[];
  let filled: readonly Filled[] = [{}];
  for (const name of [...inPath, ...required])
    filled = filled.flatMap((known) =>
      values.of(name, path).map((value) => ({ ...known, [name]: String(value) })),
    );
  const bodies = bodiesOf(operationId, values);
  return spread(filled, MAX_COMBINATIONS).flatMap((known) => {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? ''));
    const asked = Object.values(known);
    return variantsOf(route, known).flatMap((search) => {
      const whole = {
        ...{ operation: operationId, method, asked },
        target: search.size === 0 ? target : `${target}?${search}`,
      };
      return bodies.length === 0
        ? [whole]
        : bodies.map((body) => ({ ...whole, body, asked: [...asked, ...textsIn(body)] }));
    });
  });
}

/** @returns at most `count` of them, from the beginning to the end of the list */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  all.length <= count
    ? all
    : Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] as T);

/** Parameters that make an answer longer, or another one. */
function variantsOf({ query }: RouteContract, filled: Filled): readonly URLSearchParams[] {
  const required = (query?.required ?? []) as readonly string[];
  const given = Object.fromEntries(required.map((name) => [name, filled[name] ?? '']));
  const known = Object.keys(query?.properties ?? {});
  const whole: Filled = known.includes('limit') ? { ...given, limit: '1000' } : given;
  const variants: Filled[] = [whole];
  if (known.includes('counts')) variants.push({ ...whole, counts: 'true' });
  if (known.includes('type') && !required.includes('q')) variants.push({ ...given, type: 'graph' });
  if (known.includes('include-info')) variants.push({ ...given, 'include-info': 'true' });
  if (known.includes('related_entity_type'))
    variants.push({ ...whole, related_entity_type: 'inbound-control' });
  if (known.includes('all'))
    variants.push({ ...given, all: 'true', since: '2020-01-01T00:00:00Z', limit: '500' });
  if (known.includes('by')) for (const by of ['cause', 'object', 'repair']) variants.push({ ...given, by });
  return variants.map((pairs) => new URLSearchParams(pairs));
}

const LARGE = 20_000;

function bodiesOf(operationId: string, { examples }: AccessValues): readonly object[] {
  const [seen, hidden] = [examples.seen, examples.hidden].map((side) => [...side.values()].flat());
  const names = (hidden ?? []).slice(0, 3);
  const one = seen?.[0]?.id ?? '';
  const other = hidden?.[0]?.id ?? one;
  switch (operationId) {
    case 'RunCypherQuery':
      return [
        { query: `MATCH (n) RETURN n LIMIT ${LARGE}`, include_properties: true },
        { query: `MATCH p = (a)-[r]->(b) RETURN p LIMIT ${LARGE}`, include_properties: true },
        { query: `MATCH (a)-[r]->(b) RETURN a.name, type(r), b.objectid LIMIT ${LARGE}`, rows: true },
        { query: 'MATCH (n)<-[:MemberOf*1..]-(m) RETURN DISTINCT m.name LIMIT 5000', rows: true },
        ...names.map(({ id }) => ({
          query: `MATCH (n {objectid: '${id.replaceAll("'", "\\'")}'}) RETURN n`,
        })),
        ...names.map(({ node }) => ({ query: `MATCH (n) WHERE id(n) = ${node} RETURN n` })),
      ];
    case 'PreviewSelectors':
      return [
        { seeds: [{ type: 2, value: `MATCH (n) RETURN n LIMIT 1000` }] },
        { seeds: names.map(({ id }) => ({ type: 1, value: id })), expansion: 1 },
      ];
    case 'AssetGroupTagSearch':
      return ['admin', ...names.map(({ name }) => name)].map((query) => ({ query }));
    case 'SearchAssetGroupTagHistory':
      return [{ query: 'admin' }];
    case 'GetPathRepairs':
    case 'GetDetectionRules':
      return [{ steps: [{ source_id: one, target_id: other, kinds: ['GenericAll'] }] }];
    case 'GetChangeKit':
      return [
        {
          repairs: [
            { kind: 'remove-permission', object_id: other, principal_id: one, relations: ['GenericAll'] },
          ],
        },
      ];
    case 'SimulatePlan':
      return [{ disable: [one] }, { disable: [other] }];
    case 'TestCheck':
      return [
        {
          ...{ name: 'Check_Access', title: 'Access', category: 'Account Hygiene', severity: 'low' },
          ...{ cypher: 'MATCH (n) RETURN n LIMIT 5000', remediation: { short_remediation: 'None.' } },
        },
      ];
    default:
      return [];
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
