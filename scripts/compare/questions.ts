/** The requests to both trees about one organization, derived from its exported graph. */
import { AZURE_ENTITY_TYPES, ENTITY_KINDS, routes } from '@clew/api';
import { EDGE_KINDS } from '@clew/model';

/** The parts of an export that requests use. */
export interface StoredGraph {
  readonly graph: {
    readonly nodes: readonly { readonly id: string; readonly kinds: readonly string[] }[];
    readonly edges: readonly {
      readonly kind: string;
      readonly start: { readonly value: string };
      readonly end: { readonly value: string };
    }[];
  };
}

/** Operations whose answers describe the run instead of the data, or the contract itself. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ListAuditLogs: 'what this run did, with its times and addresses',
  GetMetrics: 'measures of the process',
  ListFileUploadJobs: 'jobs of this run',
  ListChanges: 'instants of this run',
  GetApiVersion: 'names the version',
  GetApiSpec: 'the contract grows with each operation',
  GetApiSpecFile: 'the contract grows with each operation',
  GetApiReference: 'a page',
  GetHealth: 'about the process',
  GetReadiness: 'about the process',
  GetDatapipeStatus: 'about the process',
  GetAnalysisStatus: 'about the process',
  GetFederalEulaText: 'a text of no organization',
  GetPlan: 'is computed in parts, as time allows',
  GetKennelManifest: 'files of the machine',
  GetKennelEnterpriseManifest: 'files of the machine',
  GetCypherNames: 'what completes a query: words of the language among them',
  ListBuiltInQueries: 'texts for people, and no data',
};

const SEARCHES = ['admin', 'a', 'svc', 'DOMAIN ADMINS', 'user', 'ca', 'S-1-5-21', 'computer', 'tier', 'web'];
const FINDING_PAGES = 6;
const PAGE = 500;
const MAX_PATHS = 15;
const LISTS = 'limit=40';

/** @returns distinct targets of GET */
export function questionsAbout({ graph: { nodes, edges } }: StoredGraph): readonly string[] {
  const degrees = new Map<string, number>();
  for (const { start, end } of edges)
    for (const { value } of [start, end]) degrees.set(value, (degrees.get(value) ?? 0) + 1);
  /** The object of a kind with the most relationships; among several, the first by id. */
  const busiest = (kind: string): string | undefined =>
    nodes
      .filter(({ kinds }) => kinds.includes(kind))
      .map(({ id }) => id)
      .sort((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0) || (a < b ? -1 : 1))[0];
  const environments = nodes
    .filter(({ kinds }) => kinds.includes('Domain') || kinds.includes('AZTenant'))
    .map(({ id }) => id)
    .sort();
  return [
    ...new Set([
      ...wholeLists(),
      ...entityQuestions(busiest),
      ...azureQuestions(busiest),
      ...SEARCHES.flatMap((text) => [
        `/api/v2/search?q=${encodeURIComponent(text)}`,
        `/api/v2/graph-search?query=${encodeURIComponent(text)}`,
      ]),
      ...pathQuestions(nodes),
      ...compositionQuestions(edges),
      ...environments.flatMap((id) => [
        `/api/v2/posture-history/findings?environments=${id}`,
        `/api/v2/attack-paths/finding-types?environment_id=eq:${id}`,
        `/api/v2/meta-nodes/${id}`,
      ]),
      ...Array.from(
        { length: FINDING_PAGES },
        (_, at) => `/api/v2/attack-paths/findings?sort_by=id&limit=${PAGE}&skip=${at * PAGE}`,
      ),
      ...['type', 'cause', 'target'].map((by) => `/api/v2/attack-paths/finding-groups?by=${by}&${LISTS}`),
      ...[0, 100, 200].map((skip) => `/api/v2/asset-group-tags/1/members?limit=100&skip=${skip}`),
      '/api/v2/asset-group-tags/1/members/counts',
      '/api/v2/asset-group-tags/1/selectors?limit=200',
    ]),
  ];
}

/** Every operation that needs only its path. */
function wholeLists(): readonly string[] {
  return routes
    .filter(
      ({ method, path, operationId, query }) =>
        method === 'GET' &&
        !path.includes('{') &&
        !Object.hasOwn(LEFT_OUT, operationId) &&
        ((query as { readonly required?: readonly string[] } | undefined)?.required ?? []).length === 0,
    )
    .map(({ path }) => path);
}

type Busiest = (kind: string) => string | undefined;

function entityQuestions(busiest: Busiest): readonly string[] {
  return ENTITY_KINDS.flatMap(({ segment, kind, related }) => {
    const id = busiest(kind);
    if (id === undefined) return [];
    const place = `/api/v2/${segment}/${encodeURIComponent(id)}`;
    return [place, ...related.map(({ suffix }) => `${place}/${suffix}?${LISTS}`)];
  });
}

function azureQuestions(busiest: Busiest): readonly string[] {
  return AZURE_ENTITY_TYPES.flatMap(({ segment, kind, counts }) => {
    const id = busiest(kind);
    if (id === undefined) return [];
    const place = `/api/v2/azure/${segment}?object_id=${encodeURIComponent(id)}`;
    return [place, ...counts.map(([, list]) => `${place}&related_entity_type=${list}&${LISTS}`)];
  });
}

/** Requests paths from users and computers to domains and tenants. */
function pathQuestions(nodes: StoredGraph['graph']['nodes']): readonly string[] {
  const ofKinds = (...kinds: readonly string[]): readonly string[] =>
    nodes
      .filter((node) => kinds.some((kind) => node.kinds.includes(kind)))
      .map(({ id }) => id)
      .sort();
  const [starts, ends] = [ofKinds('User', 'Computer', 'AZUser'), ofKinds('Domain', 'AZTenant')];
  if (starts.length === 0 || ends.length === 0) return [];
  return Array.from({ length: MAX_PATHS }, (_, at) => {
    // Distributed over all of them.
    const start = starts[Math.floor((at * starts.length) / MAX_PATHS)] as string;
    const end = ends[at % ends.length] as string;
    const query = new URLSearchParams({ start_node: start, end_node: end });
    return at % 2 === 0 ? `/api/v2/graphs/shortest-path?${query}` : `/api/v2/pathfinding?${query}`;
  });
}

/** One request for each derived kind. */
function compositionQuestions(edges: StoredGraph['graph']['edges']): readonly string[] {
  const derived = new Set(EDGE_KINDS.filter(({ origin }) => origin !== 'collected').map(({ name }) => name));
  const keyOf = ({ start, end }: (typeof edges)[number]): string => `${start.value} ${end.value}`;
  const firsts = [...Map.groupBy(edges, ({ kind }) => kind)]
    .filter(([kind]) => derived.has(kind))
    .map(([, same]) => same.reduce((first, edge) => (keyOf(edge) < keyOf(first) ? edge : first)));
  return firsts.map(
    ({ kind, start, end }) =>
      `/api/v2/graphs/edge-composition?source_node={node:${start.value}}&target_node={node:${end.value}}&edge_type=${kind}`,
  );
}
