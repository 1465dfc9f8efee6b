/** `POST /graphs/cypher`. Rule: `docs/cypher.md`. */
import type { CypherQuery, CypherResult } from '@clew/api';
import {
  apiError,
  type Handlers,
  jsonStream,
  principalId,
  type RequestContext,
  recordSuccess,
} from '@clew/common';
import { CypherError, functionNames, type ValueMap } from '@clew/cypher';
import type { Generation, GenerationSource } from '@clew/generation';
import { parseJson } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import type { EdgePropertySource, NodePropertySource } from '@clew/store';
import { visibilityOf } from '../graphs/visibility.ts';
import { answerPieces } from './answerPieces.ts';
import type { CypherAnswer } from './cypherMessages.ts';
import { layerOf, layerOwner } from './layers/layerNames.ts';
import { endLayer, listLayers } from './layers/storedLayers.ts';
import { afterChange, type RecordedParts, type RecordedQuery, runRecorded } from './recordedQuery.ts';

/** Number of nodes, edges and rows of an answer that is written at once: some milliseconds. */
const MAX_SHORT = 1000;

export interface CypherParts extends RecordedParts {
  readonly generations: GenerationSource;
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
}

export function cypherHandlers(
  parts: CypherParts,
): Handlers<'RunCypherQuery' | 'GetCypherNames' | 'ListQueryLayers' | 'EndQueryLayer'> {
  const { generations, properties } = parts;
  return {
    async GetCypherNames(_, { principal, signal }) {
      const generation = generations.current();
      const { environments } = visibilityOf(queryDataOf(generation), principal);
      const origin = { owner: principalId(principal), signal };
      const names = await parts.runner.names(generation, environments, origin);
      const data = {
        labels: [...names.labels],
        relationship_types: [...names.types],
        properties: [...names.properties],
        relationship_properties: [...names.relationshipProperties],
        functions: [...functionNames()],
      };
      return { status: 200, json: { data } };
    },

    async ListQueryLayers(_, { principal }) {
      return {
        status: 200,
        json: { data: [...(await listLayers(parts.db, layerOwner(principal)))] },
      };
    },

    async EndQueryLayer({ params }, context) {
      const layer = { owner: layerOwner(context.principal), name: params.layer_name };
      if (!(await endLayer(parts.db, layer))) throw apiError('resourceNotFound');
      await recordSuccess(parts.db, context, 'EndQueryLayer', { layer: layer.name });
      return { status: 204 };
    },

    async RunCypherQuery({ body }, context) {
      if (body.query.trim() === '') throw apiError('emptyCypherQuery');
      const generation = generations.current();
      const data = queryDataOf(generation);
      const wantsTable = body.rows === true || body.explain === true || body.profile === true;
      const answer = await run(parts, generation, body, wantsTable, context);
      // Compatible answer for a query without results.
      const hasChanged = answer.changes !== undefined;
      if (!hasChanged && !wantsTable && answer.nodes.length === 0 && !answer.rows.hasLiterals)
        throw answer.warnings.length === 0
          ? apiError('resourceNotFound')
          : apiError('queryFoundNothing', { reason: answer.warnings.join('; ') });
      const pieces = answerPieces(answer, {
        edgeProperties: parts.edgeProperties,
        ...{ data, generation, properties, wantsTable },
        visibility: visibilityOf(data, context.principal),
        withProperties: body.include_properties ?? false,
        layer: answer.layer,
      });
      const isShort = answer.nodes.length + answer.edges.length + answer.rows.count <= MAX_SHORT;
      if (!isShort) return { status: 200, mediaType: 'application/json', stream: jsonStream(pieces) };
      // The answer is complete before it is sent, so that the status reports failures.
      return afterChange(answer, context, async () => ({
        status: 200,
        json: parseJson(await joined(pieces)) as { data: CypherResult },
      }));
    },
  };
}

/** Runs it as the request says. @throws ApiError, with the reason for the author of the query */
async function run(
  parts: CypherParts,
  generation: Generation,
  body: CypherQuery,
  wantsTable: boolean,
  context: RequestContext,
): Promise<CypherAnswer> {
  try {
    const request = (): ReturnType<RecordedQuery['request']> => ({
      parameters: (body.parameters ?? {}) as ValueMap,
      wantsTable,
      explain: body.explain === true,
      profile: body.profile === true,
      ...(body.partial && { partial: { until: partialUntil(context.deadline) } }),
    });
    const layer = layerOf(context.headers.prefer);
    return await runRecorded(parts, generation, context, { query: body.query, layer, request });
  } catch (error) {
    if (error instanceof CypherError)
      throw apiError(error.kind === 'limit' ? 'cypherTooCostly' : 'invalidCypherQuery', {
        reason: error.message,
      });
    throw error;
  }
}

/** Leaves time to group, sort and send the results. */
const PARTIAL_SHARE = 4 / 5;

function partialUntil(deadline: number): number {
  const now = Date.now();
  return now + PARTIAL_SHARE * (deadline - now);
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
