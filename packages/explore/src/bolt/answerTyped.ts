/** Answers Bolt queries with the same threads, lanes, limits and environments as `POST /graphs/cypher`. */
import { type AnswerTyped, principalId, type RequestContext, TypedQueryError } from '@clew/common';
import { CypherError } from '@clew/cypher';
import type { Generation, GenerationSource } from '@clew/generation';
import { queryDataOf } from '@clew/queries';
import type { CypherAnswer } from '../cypher/cypherMessages.ts';
import { isLayerName, LAYER_RULE } from '../cypher/layers/layerNames.ts';
import { type RecordedParts, runRecorded } from '../cypher/recordedQuery.ts';
import { plainParameters } from '../cypher/typedCells.ts';
import { visibilityOf } from '../graphs/visibility.ts';
import { rewritten } from './procedures.ts';
import { typedAnswer } from './typedAnswer.ts';
import type { PartSources } from './typedParts.ts';

export interface AnswerTypedParts extends RecordedParts, PartSources {
  readonly generations: GenerationSource;
}

const EXPLAIN = /^\s*(?:CYPHER\s+[\d.]+\s+)?EXPLAIN\b/i;

export function createAnswerTyped(parts: AnswerTypedParts): AnswerTyped {
  return async (query, context) => {
    const generation = parts.generations.current();
    const data = queryDataOf(generation);
    const visibility = visibilityOf(data, context.principal);
    const { principal, signal } = context;
    const text = query.text.replace(EXPLAIN, '');
    const asked = { text, parameters: query.parameters };
    const sources = {
      principal,
      names: () =>
        parts.runner.names(generation, visibility.environments, { owner: principalId(principal), signal }),
    };
    const run = (await rewritten(asked, sources)) ?? asked;
    if (query.layer !== undefined && !isLayerName(query.layer))
      throw new TypedQueryError('refused', LAYER_RULE);
    const answer = await runTyped(parts, generation, context, {
      ...run,
      layer: query.layer,
      written: query.text,
      explain: text !== query.text,
    });
    return typedAnswer(answer, { data, generation, visibility }, parts);
  };
}

interface Run {
  readonly text: string;
  readonly parameters: Parameters<typeof plainParameters>[0];
  readonly written: string;
  readonly explain: boolean;
  readonly layer: string | undefined;
}

/** @throws TypedQueryError, ApiError, the reason of the signal */
async function runTyped(
  parts: RecordedParts,
  generation: Generation,
  context: RequestContext,
  { text, parameters, written, explain, layer }: Run,
): Promise<CypherAnswer> {
  if (text.trim() === '') throw new TypedQueryError('syntax', 'the query is empty');
  try {
    return await runRecorded(parts, generation, context, {
      ...{ query: text, written, protocol: 'bolt', layer },
      request: () => ({ parameters: plainParameters(parameters), isTyped: true, explain }),
    });
  } catch (error) {
    if (error instanceof CypherError) throw new TypedQueryError(error.kind, error.message);
    throw error;
  }
}
