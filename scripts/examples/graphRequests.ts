/** Requests about objects, relationships, paths and queries. */
import type { Json, Known, RequestTable } from './known.ts';

export function graphRequests({ azureUser, path, inherited, derived, relayed, meta }: Known): RequestTable {
  const edge = (one: Json) => ({
    source_node: one?.source_node,
    target_node: one?.target_node,
    edge_type: one?.edge_type,
  });
  return {
    GetReach: { query: { object_id: path.to, include_path: 'true' } },
    Search: { query: { q: 'DOMAIN ADMINS' } },
    RunCypherQuery: { body: { query: 'MATCH (n) RETURN n LIMIT 1' } },
    CreateSavedQuery: {
      body: {
        name: 'Kerberoastable users',
        query: 'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true RETURN u',
        description: 'Users whose password a service ticket gives away',
      },
    },
    ExportSavedQueries: { query: { scope: 'owned' } },
    ImportSavedQueries: {
      body: Buffer.from(JSON.stringify({ name: 'All domains', query: 'MATCH (d:Domain) RETURN d' })),
      contentType: 'application/json',
    },
    UpdateSavedQuery: { body: { description: 'Users with a service principal name' } },
    ShareSavedQuery: { body: { public: true } },
    DeleteSavedQueryPermissions: { body: { user_ids: [] } },
    CreateDrawing: {
      body: {
        name: 'Ways of ADA ABEL',
        address: `mode=path&from=${path.from}&to=${path.to}`,
        objects: [
          { object_id: path.from, name: 'ADA.ABEL', kind: 'User', x: 0, y: 0, pinned: false },
          { object_id: path.to, name: 'DOMAIN ADMINS', kind: 'Group', x: 260, y: 0, pinned: true },
        ],
        relationships: [{ source: 0, kind: 'MemberOf', target: 1 }],
      },
    },
    UpdateDrawing: { body: { description: 'For the ticket of March', shared: true } },
    GetShortestPath: { query: { start_node: path.from, end_node: path.to } },
    Pathfinding: { query: { start_node: path.from, end_node: path.to } },
    GetSearchResult: { query: { query: 'DOMAIN ADMINS' } },
    GetACLInheritancePath: { query: edge(inherited) },
    GetPathComposition: { query: edge(derived) },
    GetRelayTargets: { query: edge(relayed) },
    ExportGraph: { query: { kind: 'Domain' } },
    GetRelationshipByID: { params: { relationship_id: inherited?.id ?? 1 } },
    GetAzureEntity: { query: { object_id: azureUser } },
    GetMetaEntity: { params: { object_id: meta } },
  };
}
