/** The details of an Active Directory object: properties, kinds, and the counts of its related lists. */
import { ENTITY_KINDS, type EntityInfo, type EntityKindContract, type EntityOperationId } from '@clew/api';
import { type Handler, type Handlers, type RequestContext, tableOf } from '@clew/common';
import { objectIdOf } from '@clew/graph';
import type { PropertyValue } from '@clew/model';
import { findEntity, type QueryData, queryDataOf, shownKindsOf } from '@clew/queries';
import type { NodeDetails } from '@clew/store';
import type { QueryServices } from '../queryServices.ts';
import { isTierZero, systemTags, withName } from '../render/nodeSigns.ts';
import { missingFrom, requireVisible, visibilityOf } from '../visibility.ts';
import { visibleLists } from './visibleLists.ts';

export function entityHandlers(services: QueryServices): Handlers<EntityOperationId> {
  return tableOf(
    ENTITY_KINDS.map((entity) => [entity.operationId, entityHandler(services, entity)] as const),
  );
}

function entityHandler(services: QueryServices, entity: EntityKindContract): Handler<EntityOperationId> {
  return async ({ params, query }, context) => {
    const data = queryDataOf(services.generations.current());
    // `base` answers for any object of any source.
    const kind = entity.kind === 'Base' ? undefined : entity.kind;
    const root = findEntity(data, params.object_id, kind);
    const visibility = visibilityOf(data, context.principal);
    if (root === undefined) throw missingFrom(visibility);
    requireVisible(data, visibility, root);
    const [props, counts] = await Promise.all([
      readProps(services, data, root),
      query.counts ? countRelated(services, entity, data, root, context) : {},
    ]);
    const info: EntityInfo = { props, kinds: shownKindsOf(data, root), ...counts };
    return { status: 200, json: { data: info } };
  };
}

/** Stored properties, and those that the graph replaces. */
export async function readProps(
  services: QueryServices,
  data: QueryData,
  node: number,
): Promise<Readonly<Record<string, PropertyValue>>> {
  const storeId = data.graph.storeIds[node];
  return shownProps(data, node, (await services.properties.read([storeId])).get(storeId));
}

export function shownProps(
  data: QueryData,
  node: number,
  details: NodeDetails | undefined,
): Readonly<Record<string, PropertyValue>> {
  const tags = systemTags(data, node);
  return {
    ...withName(data, node, details?.properties),
    objectid: objectIdOf(data.graph, node),
    ...(tags === '' ? {} : { system_tags: tags }),
    ...(isTierZero(data, node) ? { isTierZero: true } : {}),
  };
}

/** Each count equals its list and is computed in the same way; a count that could not be computed is missing. */
async function countRelated(
  services: QueryServices,
  { related }: EntityKindContract,
  data: QueryData,
  root: number,
  context: RequestContext,
): Promise<Record<string, number>> {
  const keys = related.map(({ key }) => key);
  const lists = await visibleLists(services, keys, data, root, context);
  return Object.fromEntries(
    related.flatMap(({ key, countKey }) => {
      const nodes = lists.get(key);
      return nodes === undefined ? [] : [[countKey, nodes.length]];
    }),
  );
}
