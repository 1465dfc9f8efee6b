/** Entra ID and Azure objects: details with counts, related lists, and their graphs. Rule: `docs/reference/azurehound.md#entity-lists`. */
import {
  type AzureEntity,
  type AzureEntityType,
  azureEntityType,
  isAzureRelatedType,
  type ServedQuery,
} from '@clew/api';
import { type Answer, apiError, type Handler, type Handlers, type RequestContext } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findEntity, type QueryData, queryDataOf } from '@clew/queries';
import { graphAnswer } from '../handlers/relatedListHandlers.ts';
import type { QueryServices } from '../queryServices.ts';
import { missingFrom, onlyVisible, requireVisible, visibilityOf } from '../visibility.ts';
import { azureCounts } from './azureCounts.ts';
import { azureNode, azurePage } from './azurePage.ts';
import { linkedIds } from './linkedIds.ts';

type AzureQuery = ServedQuery<'GetAzureEntity'>;

export function azureHandlers(services: QueryServices): Handlers<'GetAzureEntity'> {
  return { GetAzureEntity: azureEntity(services) };
}

function azureEntity(services: QueryServices): Handler<'GetAzureEntity'> {
  return async ({ params, query }, context) => {
    const entityType = azureEntityType(params.entity_type);
    if (entityType === undefined) throw apiError('malformedFilter');
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const isDetails = query.related_entity_type === undefined;
    // Any list is available for any object: the kind in the path only selects the details.
    const root = findEntity(data, query.object_id, isDetails ? entityType.kind : 'AZBase');
    const visibility = visibilityOf(data, context.principal);
    if (root === undefined) throw missingFrom(visibility, 'entityNotFound');
    requireVisible(data, visibility, root);
    return isDetails
      ? detailsAnswer(services, data, entityType, root, query.counts, context)
      : relatedAnswer(services, generation, root, query, context);
  };
}

async function detailsAnswer(
  services: QueryServices,
  data: QueryData,
  entityType: AzureEntityType,
  root: number,
  withCounts: boolean,
  context: RequestContext,
): Promise<Answer<'GetAzureEntity'>> {
  const storeId = data.graph.storeIds[root];
  const [details, counts] = await Promise.all([
    services.properties.read([storeId]),
    withCounts ? azureCounts(services, entityType, data, root, context) : {},
  ]);
  const linked = linkedIds(data, visibilityOf(data, context.principal), root, entityType.kind);
  const entity: AzureEntity = { ...azureNode(data, root, details.get(storeId), linked), ...counts };
  return { status: 200, json: { data: entity } };
}

async function relatedAnswer(
  services: QueryServices,
  generation: Generation,
  root: number,
  { related_entity_type: type = '', connecting, skip, limit, ...query }: AzureQuery,
  { principal, signal }: RequestContext,
): Promise<Answer<'GetAzureEntity'>> {
  if (!isAzureRelatedType(type)) throw apiError('unknownRelatedType', { type });
  const data = queryDataOf(generation);
  const visibility = visibilityOf(data, principal);
  const list = `azure/${type}` as const;
  if (query.type === 'graph') {
    return graphAnswer(services, generation, { list, root, connecting }, visibility, signal);
  }
  const request = { list, rules: services.rules, root, sorts: [] };
  const nodes = await services.pool.run(data, 'relatedNodes', request, signal);
  return azurePage(data, services.properties, onlyVisible(data, visibility, nodes), { skip, limit });
}
