/** Related lists of Active Directory objects: page, count or graph, all from one row of the relations. */
import { ENTITY_KINDS, RELATED_COLUMNS, type RelatedListKey, type RelatedOperationId } from '@clew/api';
import { apiError, type Handler, type Handlers, jsonStream, parseListQuery, tableOf } from '@clew/common';
import type { Generation } from '@clew/generation';
import {
  findEntity,
  GraphTooLarge,
  type ListKey,
  type NodeSort,
  type QueryData,
  queryDataOf,
  relationOf,
} from '@clew/queries';
import type { QueryServices } from '../queryServices.ts';
import { listPage, type PageRequest } from '../render/listPage.ts';
import { relationGraphPieces } from '../render/relationMap.ts';
import { missingFrom, onlyVisible, requireVisible, type Visibility, visibilityOf } from '../visibility.ts';

/**
 * The answer for a related list of an unknown object: an empty page, because the documented statuses have no 404, and scripts iterate over
 * lists of ids. (The original answers 500.)
 */
const UNKNOWN_OBJECT: 'empty page' | 'not found' = 'empty page';

/** Lists whose graphs only show names, as in the original: they may be large and are only drawn. */
const NAMES_ONLY = /\/(controllers|controllables)$/;

export function relatedListHandlers(services: QueryServices): Handlers<RelatedOperationId> {
  const lists = ENTITY_KINDS.flatMap(({ related }) => related);
  return tableOf(
    lists.map(({ operationId, key }) => [operationId, relatedListHandler(services, key)] as const),
  );
}

function relatedListHandler(services: QueryServices, list: RelatedListKey): Handler<RelatedOperationId> {
  return async (input, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const sorts = readSorts(input.rawQuery);
    const { skip, limit, type, connecting } = input.query;
    const isGraph = type === 'graph';
    if (isGraph && relationOf(list, services.rules).listOnly === true)
      throw apiError('graphTypeNotSupported');

    // Any Active Directory object is accepted, below `base` any object: the kind in the path selects the list, not the object.
    const kind = list.startsWith('base/') ? undefined : 'Base';
    const root = findEntity(data, input.params.object_id, kind);
    const visibility = visibilityOf(data, principal);
    if (root === undefined) {
      if (visibility.environments !== undefined) throw missingFrom(visibility);
      return unknownObject(data, isGraph, { skip, limit });
    }
    requireVisible(data, visibility, root);

    if (isGraph) {
      return graphAnswer(services, generation, { list, root, connecting }, visibility, signal);
    }
    const request = { list, rules: services.rules, root, sorts };
    const nodes = onlyVisible(
      data,
      visibility,
      await services.pool.run(data, 'relatedNodes', request, signal),
    );
    if (type === 'count') return { status: 200, json: { count: nodes.length, limit, skip, data: [] } };
    return listPage(data, nodes, { skip, limit });
  };
}

function readSorts(rawQuery: URLSearchParams): readonly NodeSort[] {
  const { sorts } = parseListQuery(rawQuery, RELATED_COLUMNS, ['connecting']);
  return sorts.map(({ column, descending }) => ({ column: column as NodeSort['column'], descending }));
}

function unknownObject(data: QueryData, isGraph: boolean, page: PageRequest) {
  if (UNKNOWN_OBJECT === 'not found') throw apiError('nodeNotFound');
  return isGraph ? { status: 200 as const, json: {} } : listPage(data, new Uint32Array(0), page);
}

/** The graph of a list, without wrapper. */
export async function graphAnswer(
  services: QueryServices,
  generation: Generation,
  { list, root, connecting }: { readonly list: ListKey; readonly root: number; readonly connecting: boolean },
  visibility: Visibility,
  signal: AbortSignal,
) {
  const data = queryDataOf(generation);
  const request = { list, rules: services.rules, root, connecting };
  try {
    const graph = await services.pool.run(data, 'relatedGraph', request, signal);
    const properties = NAMES_ONLY.test(list) ? undefined : services.properties;
    const looks = await services.looks.read();
    return {
      status: 200 as const,
      mediaType: 'application/json',
      stream: jsonStream(
        relationGraphPieces(
          { data, generation, visibility, looks, properties, edgeProperties: services.edgeProperties },
          graph,
        ),
      ),
    };
  } catch (error) {
    if (error instanceof GraphTooLarge) throw apiError('memoryExceeded');
    throw error;
  }
}
