/**
 * Active Directory entities: one row a kind for its details, and the lists of what is related to it.
 * Rules: spec.md operation 3, shared reference api-behaviour.md 9.10 and derived-ad.md 6.
 */
import Type from 'typebox';
import { column } from '../columns.ts';
import { ObjectIdPath, paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { EntityInfo, GraphMap, NodeListEntry } from '../schemas/graph.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

/** `sort_by` of related lists; the lists take no filters. */
export const RELATED_COLUMNS = {
  name: column('string', { filterable: false }),
  objectid: column('string', { filterable: false }),
} as const;

const InfoQuery = Type.Object({
  counts: Type.Optional(
    Type.Boolean({ default: true, description: 'Include the counts of related entities' }),
  ),
});

export const RelatedQuery = Type.Object({
  ...paging(10),
  type: Type.Optional(
    Type.Union([Type.Literal('list'), Type.Literal('graph')], {
      default: 'list',
      description: '`list` for a page, `graph` for nodes and edges where the list has a graph form',
    }),
  ),
  sort_by: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description:
        'Sort by column; prefix a hyphen for descending order. May be repeated. Columns: `name`, `objectid`.',
      'x-parsed-by': 'filters',
    }),
  ),
});

function entityInfo<const Segment extends string, const Id extends string>(
  segment: Segment,
  operationId: Id,
  tag: string,
  what: string,
) {
  return {
    method: 'GET',
    path: `/api/v2/${segment}/{object_id}`,
    operationId,
    tag,
    summary: `Properties of ${what} and counts of what is related to it`,
    access: READ,
    params: ObjectIdPath,
    query: InfoQuery,
    responses: { 200: dataOf(EntityInfo) },
    errors: [400, 401, 403, 404, 429, 500],
  } as const;
}

/** A related list: a page of nodes, or the graph behind it, un-wrapped, for `type=graph`. */
function relatedList<const Path extends string, const Id extends string>(
  path: Path,
  operationId: Id,
  tag: string,
  summary: string,
) {
  return {
    method: 'GET',
    path: `/api/v2/${path}`,
    operationId,
    tag,
    summary,
    access: READ,
    params: ObjectIdPath,
    query: RelatedQuery,
    parameterErrors: { type: 'unsupportedResultType' },
    columns: RELATED_COLUMNS,
    responses: { 200: Type.Union([pageOf(NodeListEntry), GraphMap]) },
    errors: [400, 401, 403, 429, 500],
  } as const;
}

export const entityRoutes = defineRoutes([
  entityInfo('base', 'GetEntity', 'AD Base Entities', 'any Active Directory object'),
  entityInfo('users', 'GetUserEntity', 'AD Users', 'a user'),
  entityInfo('groups', 'GetGroupEntity', 'Groups', 'a group'),
  entityInfo('computers', 'GetComputerEntity', 'Computers', 'a computer'),
  entityInfo('domains', 'GetDomainEntity', 'Domains', 'a domain'),
  entityInfo('gpos', 'GetGpoEntity', 'GPOs', 'a group policy object'),
  entityInfo('ous', 'GetOuEntity', 'OUs', 'an organizational unit'),
  entityInfo('containers', 'GetContainerEntity', 'Containers', 'a container'),
  entityInfo('aiacas', 'GetAiaCaEntity', 'AIA CAs', 'an AIA certificate authority'),
  entityInfo('rootcas', 'GetRootCaEntity', 'Root CAs', 'a root certificate authority'),
  entityInfo(
    'enterprisecas',
    'GetEnterpriseCaEntity',
    'Enterprise CAs',
    'an enterprise certificate authority',
  ),
  entityInfo('ntauthstores', 'GetNtAuthStoreEntity', 'NT Auth Stores', 'an NT auth store'),
  entityInfo('certtemplates', 'GetCertTemplateEntity', 'Cert Templates', 'a certificate template'),
  entityInfo('issuancepolicies', 'GetIssuancePolicyEntity', 'Issuance Policies', 'an issuance policy'),
  relatedList(
    'aiacas/{object_id}/controllers',
    'GetAiaCaEntityControllers',
    'AIA CAs',
    'The principals that can control this AIA certificate authority',
  ),
]);
