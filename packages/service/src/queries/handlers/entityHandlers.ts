/** What is known of one Active Directory object: properties, kinds, and the counts of its related lists. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ENTITY_KINDS, type EntityInfo, type EntityKindContract } from '@clew/api';
import { nameOf, objectIdOf } from '@clew/graph';
import type { PropertyValue } from '@clew/model';
import { apiError } from '../../http/apiError.ts';
import type { Handler, HandlerTable, RequestContext } from '../../http/handler.ts';
import { findEntity } from '../findEntity.ts';
import { kindNamesOf, type QueryData, queryDataOf } from '../queryData.ts';
import type { QueryServices } from '../queryServices.ts';
import { isTierZero, systemTags } from '../render/nodeSigns.ts';
import { onlyVisible, requireVisible, visibilityOf } from '../visibility.ts';

/** Left of the request's time when counting ends, to answer with what has been counted. */
const TIME_TO_ANSWER_MS = 500;

export function entityHandlers(services: QueryServices): HandlerTable {
  return Object.fromEntries(
    ENTITY_KINDS.map((entity) => [entity.operationId, entityHandler(services, entity)]),
  );
}

function entityHandler(services: QueryServices, entity: EntityKindContract): Handler {
  return async ({ params, query }, context) => {
    const data = queryDataOf(services.generations.current());
    const root = findEntity(data, params.object_id, entity.kind);
    if (root === undefined) throw apiError('nodeNotFound');
    requireVisible(data, visibilityOf(data, context.principal), root);
    const [props, counts] = await Promise.all([
      readProps(services, data, root),
      query.counts === false ? {} : countRelated(services, entity, data, root, context),
    ]);
    const info: EntityInfo = { props, kinds: kindNamesOf(data, root), ...counts };
    return { status: 200, json: { data: info } };
  };
}

/** Stored properties, and what the graph knows better. */
export async function readProps(
  services: QueryServices,
  data: QueryData,
  node: number,
): Promise<Readonly<Record<string, PropertyValue>>> {
  const storeId = data.graph.storeIds[node];
  const details = (await services.properties.read([storeId])).get(storeId);
  const tags = systemTags(data, node);
  return {
    ...details?.properties,
    ...(nameOf(data.graph, node) === '' ? {} : { name: nameOf(data.graph, node) }),
    objectid: objectIdOf(data.graph, node),
    ...(tags === '' ? {} : { system_tags: tags }),
    ...(isTierZero(data, node) ? { isTierZero: true } : {}),
  };
}

/**
 * Each count is that of its list, computed the same way. One that fails or takes too long is left out: a wrong 0 would
 * read as "nobody".
 */
async function countRelated(
  services: QueryServices,
  entity: EntityKindContract,
  data: QueryData,
  root: number,
  { principal, signal, deadline, log }: RequestContext,
): Promise<Record<string, number>> {
  const visibility = visibilityOf(data, principal);
  const timeLeft = deadline - Date.now() - TIME_TO_ANSWER_MS;
  const patience = Number.isFinite(timeLeft)
    ? AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeLeft))])
    : signal;
  const counts: Record<string, number> = {};
  const counting: Promise<void>[] = [];
  for (const { key, countKey } of entity.related) {
    const request = { list: key, rules: services.rules, root, sorts: [] };
    counting.push(
      services.pool.run(data, 'relatedNodes', request, patience).then(
        (nodes) => {
          counts[countKey] = onlyVisible(data, visibility, nodes).length;
        },
        (error: unknown) => {
          if (!patience.aborted) log.error({ err: error, list: key }, 'a count failed');
        },
      ),
    );
    // Each count may have used its allowance on the event loop.
    await nextTurn();
  }
  await Promise.all(counting);
  signal.throwIfAborted();
  return Object.fromEntries(
    entity.related.flatMap(({ countKey }) => (countKey in counts ? [[countKey, counts[countKey]]] : [])),
  );
}
