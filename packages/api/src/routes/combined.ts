/** Combined nodes: the principals that can take over a zone, combined so that they fit on a page. */
import Type from 'typebox';
import { integerId, ObjectIdPath, parsedByHandler } from '../parameters.ts';
import { dataOf } from '../schemas/common.ts';
import { GraphMap, GraphMapNode } from '../schemas/graph.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

const Environment = Type.Object({
  domain_id: Type.String({ description: 'Object id of the environment: domain SID or tenant id' }),
});
const Zone = {
  asset_group_tag_id: parsedByHandler('Id of a zone; default Tier Zero'),
};

export const combinedRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/meta/{object_id}',
    operationId: 'GetMetaEntity',
    tag: 'Meta Entities',
    summary: 'The nodes that a combined node combines',
    access: READ,
    params: ObjectIdPath,
    responses: {
      200: dataOf(
        Type.Object({
          props: Type.Record(Type.String(), Type.Unknown()),
          kinds: Type.Array(Type.String()),
        }),
      ),
    },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/meta-nodes/{domain_id}',
    operationId: 'GetLatestTierZeroComboNode',
    tag: 'Analysis',
    summary: 'The members of a zone in an environment as one node',
    access: READ,
    params: Environment,
    query: Type.Object(Zone),
    responses: { 200: dataOf(Type.Record(Type.String(), GraphMapNode)) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/meta-trees/{domain_id}',
    operationId: 'GetComboTreeGraph',
    tag: 'Analysis',
    summary: 'The tree of combined nodes toward a zone: the 500 nearest nodes',
    access: READ,
    params: Environment,
    query: Type.Object({
      ...Zone,
      node_id: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'Number of a combined node: the answer contains it, its path to the zone, and the nodes behind it',
        }),
      ),
    }),
    responses: { 200: dataOf(GraphMap) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/asset-groups/{asset_group_id}/combo-node',
    operationId: 'GetAssetGroupComboNode',
    tag: 'Analysis',
    summary: 'The tree of combined nodes toward an asset group (older form)',
    access: READ,
    params: Type.Object({ asset_group_id: integerId('The id of the asset group') }),
    query: Type.Object({
      domainsid: parsedByHandler('Members of this environment only; default all'),
    }),
    responses: { 200: dataOf(GraphMap) },
    errors: [404],
    deprecated: true,
  },
]);
