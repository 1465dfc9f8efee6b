/**
 * Entra ID and Azure objects: one operation for details, related lists and graphs. Rule:
 * `docs/reference/azurehound.md#entity-lists`.
 */
import Type from 'typebox';
import { paging, withDefault } from '../parameters.ts';
import { AzureEntity, AzureNode } from '../schemas/azure.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { GraphMap } from '../schemas/graph.ts';
import { AZURE_ENTITY_TYPES, AZURE_RELATED_TYPES } from './azureEntities.ts';
import { defineRoutes } from './defineRoutes.ts';

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const AzureQuery = Type.Object({
  object_id: Type.String({ description: 'The object id of the entity' }),
  counts: withDefault(
    Type.Boolean({
      description: 'Include the counts of related entities. Not with `related_entity_type`.',
    }),
    true,
  ),
  related_entity_type: Type.Optional(
    Type.String({
      description: `List the objects related to the entity instead: ${Object.entries(AZURE_RELATED_TYPES)
        .map(([type, holds]) => `\`${type}\` (${holds})`)
        .join(', ')}. Any of them may be asked of any entity.`,
    }),
  ),
  type: withDefault(
    Type.Union([Type.Literal('list'), Type.Literal('graph')], {
      description: 'With `related_entity_type`: a page, or nodes and edges',
    }),
    'list',
  ),
  connecting: withDefault(
    Type.Boolean({
      description:
        'With `type=graph`: also show the objects on the paths to the entries, marked `connecting`, instead of one dashed edge per path',
    }),
    false,
  ),
  ...paging(100),
});

export const azureRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/azure/{entity_type}',
    aliases: ['/api/v2/cloud/{entity_type}'],
    operationId: 'GetAzureEntity',
    tag: 'Azure Entities',
    summary: 'An object of Entra ID or Azure with counts of related objects, or one list of them',
    access: ['graphdb/Read'],
    params: Type.Object({
      entity_type: Type.String({
        description: `${inCode(AZURE_ENTITY_TYPES.map(({ segment }) => segment))}; or the name of the kind (\`AZUser\`), case-insensitive.`,
      }),
    }),
    query: AzureQuery,
    parameterErrors: { object_id: 'missingObjectId', counts: 'malformedFilter' },
    responses: { 200: Type.Union([dataOf(AzureEntity), pageOf(AzureNode), GraphMap]) },
    errors: [404],
  },
]);
