/** Finds objects of the organization that are good examples. */
import type { ExampleService } from './exampleService.ts';
import type { Json, Subjects } from './known.ts';
import { KIND_OF_PATH } from './pathParameters.ts';

export async function findSubjects(service: ExampleService): Promise<Subjects> {
  const get = async (path: string): Promise<Json> => (await service.call('GET', `/api/v2/${path}`)).json;
  const environments: readonly Json[] = (await get('available-domains')).data;
  const domain = environments.find(({ type, collected }) => type === 'active-directory' && collected).id;
  const tenant = environments.find(({ type }) => type === 'azure').id;
  const idOf = new Map<string, string>();
  for (const kind of new Set([...Object.values(KIND_OF_PATH), 'AZUser'])) {
    const { nodes } = (
      await get(`graphs/export?kind=${kind}&environment=${kind === 'AZUser' ? tenant : domain}`)
    ).graph;
    // Accounts created by users are better examples than built-in ones.
    const own = nodes.find(({ id }: Json) => /-[1-9]\d{3,}$/.test(id)) ?? nodes[0];
    if (own !== undefined) idOf.set(kind, own.id);
  }
  idOf.set('Domain', domain);
  idOf.set('Group', `${domain}-512`);
  const findings: readonly Json[] = (
    await get(`attack-paths/findings?environment_id=eq:${domain}&limit=1000`)
  ).data;
  const finding = findings.find(({ finding_type }) => finding_type === 'relationship');
  const members = (await get('asset-group-tags/1/members?limit=1')).data.members;
  const edges: readonly Json[] = (await get(`graphs/export?environment=${domain}`)).graph.edges;
  return {
    userId: (await get('self')).data.id,
    domain,
    tenant,
    idOf,
    azureUser: idOf.get('AZUser') ?? '',
    path: { from: finding.source_principal_id, to: domain },
    ...(await explainable(service, edges)),
    node: members[0].id,
    meta: Object.values<Json>((await get(`meta-nodes/${domain}`)).data)[0].data.objectid,
    finding,
    member: members[0],
  };
}

/** Edges for which the operations on edges return an explanation. */
async function explainable(
  service: ExampleService,
  edges: readonly Json[],
): Promise<Pick<Subjects, 'inherited' | 'derived' | 'relayed'>> {
  const first = async (kinds: RegExp, operation: string): Promise<Json> => {
    for (const { kind, start, end } of edges.filter((edge) => kinds.test(edge.kind)).slice(0, 200)) {
      const asked = await Promise.all([start.value, end.value].map((id) => nodeOf(service, id)));
      const query = { source_node: asked[0], target_node: asked[1], edge_type: kind };
      const search = new URLSearchParams(query as unknown as Record<string, string>);
      const answer = await service.call('GET', `/api/v2/graphs/${operation}?${search}`);
      if (answer.status === 200 && !isEmpty(answer.json.data))
        return {
          ...{ ...query, id: await edgeId(service, start.value, end.value) },
          step: { source_id: start.value, target_id: end.value, kinds: [kind] },
        };
    }
    return undefined;
  };
  return {
    inherited: await first(/^GenericAll$|^WriteDacl$/, 'acl-inheritance'),
    derived: await first(/^DCSync$|^ADCSESC1$/, 'edge-composition'),
    relayed: await first(/^CoerceAndRelay/, 'relay-targets'),
  };
}

async function nodeOf(service: ExampleService, objectId: string): Promise<number> {
  const answer = await service.call(
    'GET',
    `/api/v2/graph-search?query=${encodeURIComponent(objectId)}&type=exact`,
  );
  return Number(Object.keys(answer.json.data)[0]);
}

async function edgeId(service: ExampleService, from: string, to: string): Promise<number> {
  const search = new URLSearchParams({ start_node: from, end_node: to, only_traversable: 'false' });
  const answer = await service.call('GET', `/api/v2/graphs/shortest-path?${search}`);
  return answer.json?.data?.edges?.[0]?.id ?? 1;
}

/** A graph without nodes is not an example. */
const isEmpty = ({ nodes }: Json): boolean => nodes !== undefined && Object.keys(nodes).length === 0;
