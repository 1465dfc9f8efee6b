/** `POST /graphs/cypher`. Rule: `docs/cypher.md`. */
import type { CypherQuery, CypherResult } from '@clew/api';
import {
  apiError,
  type Handlers,
  isOutOfMemory,
  jsonStream,
  principalId,
  type RequestContext,
  recordAudit,
  recordSuccess,
} from '@clew/common';
import { CypherError, functionNames, type QueryLimits, type ValueMap } from '@clew/cypher';
import type { Generation, GenerationSource } from '@clew/generation';
import { parseJson } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import type { Db, EdgePropertySource, NodePropertySource } from '@clew/store';
import { visibilityOf } from '../graphs/visibility.ts';
import { answerPieces } from './answerPieces.ts';
import type { CypherAnswer } from './cypherMessages.ts';
import type { CypherRunner } from './cypherRunner.ts';
import { withoutLiterals } from './withoutLiterals.ts';

/** Number of nodes, edges and rows of an answer that is written at once: some milliseconds. */
const MAX_SHORT = 1000;

export interface CypherParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
  readonly runner: CypherRunner;
  readonly limits: Partial<QueryLimits>;
}

export function cypherHandlers(parts: CypherParts): Handlers<'RunCypherQuery' | 'GetCypherNames'> {
  const { db, generations, properties } = parts;
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

    async RunCypherQuery({ body }, context) {
      if (body.query.trim() === '') throw apiError('emptyCypherQuery');
      const generation = generations.current();
      const data = queryDataOf(generation);
      const wantsTable = body.rows === true || body.explain === true || body.profile === true;
      const answer = await run(parts, generation, body, wantsTable, context);
      await recordSuccess(db, context, 'RunCypherQuery', {
        query: withoutLiterals(body.query),
        milliseconds: Math.round(answer.milliseconds),
      });
      // Compatible answer for a query without results.
      if (!wantsTable && answer.nodes.length === 0 && !answer.rows.hasLiterals)
        throw answer.warnings.length === 0
          ? apiError('resourceNotFound')
          : apiError('queryFoundNothing', { reason: answer.warnings.join('; ') });
      const pieces = answerPieces(answer, {
        edgeProperties: parts.edgeProperties,
        ...{ data, generation, properties, wantsTable },
        visibility: visibilityOf(data, context.principal),
        withProperties: body.include_properties ?? false,
      });
      const isShort = answer.nodes.length + answer.edges.length + answer.rows.count <= MAX_SHORT;
      if (!isShort) return { status: 200, mediaType: 'application/json', stream: jsonStream(pieces) };
      // The answer is complete before it is sent, so that the status reports failures.
      return { status: 200, json: parseJson(await joined(pieces)) as { data: CypherResult } };
    },
  };
}

async function run(
  { db, runner, limits }: CypherParts,
  generation: Generation,
  body: CypherQuery,
  wantsTable: boolean,
  context: RequestContext,
): Promise<CypherAnswer> {
  const { environments } = visibilityOf(queryDataOf(generation), context.principal);
  try {
    return await runner.run(
      generation,
      () => ({
        query: body.query,
        parameters: (body.parameters ?? {}) as ValueMap,
        limits,
        wantsTable,
        explain: body.explain === true,
        profile: body.profile === true,
        ...(body.partial && { partial: { until: partialUntil(context.deadline) } }),
        ...(environments && { environments: [...environments] }),
      }),
      {
        owner: principalId(context.principal),
        signal: context.signal,
        ...(context.clock && { clock: context.clock }),
      },
    );
  } catch (error) {
    const reason = error instanceof CypherError ? error.kind : 'ended';
    await recordAudit(db, context, {
      action: 'RunCypherQuery',
      status: 'failure',
      fields: { query: withoutLiterals(body.query), reason },
    }).catch(() => {});
    if (error instanceof CypherError)
      throw apiError(error.kind === 'limit' ? 'cypherTooCostly' : 'invalidCypherQuery', {
        reason: error.message,
      });
    if (isOutOfMemory(error)) throw apiError('memoryExceeded');
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
