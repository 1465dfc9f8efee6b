/**
 * Active Directory entities: the details of each kind, and the lists of related objects. Rules: `docs/reference/queries.md#entity-details`
 * and `docs/reference/queries.md#related-lists`.
 */
import Type from 'typebox';
import { column, listParameters } from '../columns.ts';
import { ObjectIdPath, withDefault } from '../parameters.ts';
import type { RouteContract } from '../route.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { EntityInfo, GraphMap, NodeListEntry } from '../schemas/graph.ts';
import {
  ENTITY_KINDS,
  type EntityKindContract,
  type EntityKindRow,
  type RelatedListContract,
} from './entityKinds.ts';

const READ = ['graphdb/Read'] as const;

/** `sort_by` of related lists, which have no filters. */
export const RELATED_COLUMNS = {
  name: column('string', { filterable: false }),
  objectid: column('string', { filterable: false }),
  label: column('string', { filterable: false }),
} as const;

const EntityQuery = Type.Object({
  counts: withDefault(Type.Boolean({ description: 'Include the counts of related entities' }), true),
});

const listPaging = (description: string, defaultValue: number) =>
  withDefault(
    Type.Integer({ minimum: 0, description: `${description}. Only for \`type=list\`.` }),
    defaultValue,
  );

export const RelatedQuery = Type.Object({
  skip: listPaging('The number of entries to skip', 0),
  limit: listPaging('The number of entries to return', 10),
  type: withDefault(
    Type.Union([Type.Literal('list'), Type.Literal('graph'), Type.Literal('count')], {
      description:
        '`list` for a page, `count` for an empty page with the count, `graph` for nodes and edges if the list has a graph form',
    }),
    'list',
  ),
  connecting: withDefault(
    Type.Boolean({
      description:
        'Only for `type=graph`. Without it, the graph shows the entries of the list, and each path to an entry through other objects is one dashed edge. With it, those objects are shown, too, marked `connecting`.',
    }),
    false,
  ),
  ...listParameters(RELATED_COLUMNS),
});

const EntityAnswer = dataOf(EntityInfo);
const RelatedAnswer = Type.Union([pageOf(NodeListEntry), GraphMap]);

export interface InfoRoute<Segment extends string, Operation extends string> extends RouteContract {
  readonly path: `/api/v2/${Segment}/{object_id}`;
  readonly operationId: `Get${Operation}`;
  readonly params: typeof ObjectIdPath;
  readonly query: typeof EntityQuery;
  readonly responses: { readonly 200: typeof EntityAnswer };
}

export interface RelatedRoute<Segment extends string, Suffix extends string, Operation extends string>
  extends RouteContract {
  readonly path: `/api/v2/${Segment}/{object_id}/${Suffix}`;
  readonly operationId: `Get${Operation}`;
  readonly params: typeof ObjectIdPath;
  readonly query: typeof RelatedQuery;
  readonly responses: { readonly 200: typeof RelatedAnswer };
}

/** The routes of one row, by its exact types. */
type RoutesOf<Row extends EntityKindRow> = Row extends EntityKindRow
  ? InfoRoute<Row['segment'], Row['operation']> | RelatedRoutesOf<Row, Row['related'][number]>
  : never;

export type RelatedRoutesOf<Row extends EntityKindRow, List> = List extends readonly [
  infer Suffix extends string,
  infer Operation extends string,
  ...unknown[],
]
  ? RelatedRoute<Row['segment'], Suffix, `${Row['operation']}${Operation}`>
  : never;

function infoRoute({ segment, operationId, tag, noun }: EntityKindContract): RouteContract {
  return {
    method: 'GET',
    path: `/api/v2/${segment}/{object_id}`,
    operationId,
    tag,
    summary: `Properties of the ${noun} and counts of related objects`,
    access: READ,
    params: ObjectIdPath,
    query: EntityQuery,
    responses: { 200: EntityAnswer },
    errors: [404],
  };
}

/** A page of nodes, or for `type=graph` the graph of the list, without a `data` wrapper. */
function relatedRoute(entity: EntityKindContract, list: RelatedListContract): RouteContract {
  return {
    method: 'GET',
    path: `/api/v2/${entity.segment}/{object_id}/${list.suffix}`,
    operationId: list.operationId,
    tag: entity.tag,
    summary: `${entity.noun[0]?.toUpperCase()}${entity.noun.slice(1)}: ${list.holds}`,
    access: READ,
    params: ObjectIdPath,
    query: RelatedQuery,
    parameterErrors: { type: 'unsupportedResultType' },
    columns: RELATED_COLUMNS,
    responses: { 200: RelatedAnswer },
  };
}

const updateDomain = {
  method: 'PATCH',
  path: '/api/v2/domains/{object_id}',
  operationId: 'UpdateDomainEntity',
  tag: 'Domains',
  summary: 'Mark a domain as collected, or not',
  access: ['graphdb/Write'],
  params: ObjectIdPath,
  bodyKind: 'json',
  body: Type.Object({ collected: Type.Boolean() }),
  responses: { 200: dataOf(Type.Object({ collected: Type.Boolean() })) },
  errors: [404],
} as const satisfies RouteContract;

const reads = ENTITY_KINDS.flatMap((entity) => [
  infoRoute(entity),
  ...entity.related.map((list) => relatedRoute(entity, list)),
]) as readonly RouteContract[] as readonly RoutesOf<EntityKindRow>[];

export const entityRoutes = [...reads, updateDomain] as const;
