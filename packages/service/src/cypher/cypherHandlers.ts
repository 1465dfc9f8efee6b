/** `POST /graphs/cypher`. Rule: `docs/cypher.md`. */
import type { CypherQuery, CypherResult } from '@clew/api';
import { CypherError, type QueryLimits, type ValueMap } from '@clew/cypher';
import type { Generation, GenerationSource } from '@clew/generation';
import { queryDataOf } from '@clew/queries';
import type { Db, EdgePropertySource, NodePropertySource } from '@clew/store';
import { visibilityOf } from '../explore/visibility.ts';
import { apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handlers, RequestContext } from '../operation/handler.ts';
import { jsonStream } from '../operation/jsonStream.ts';
import { principalId } from '../operation/principal.ts';
import { answerPieces, hasLiterals } from './answerPieces.ts';
import type { CypherAnswer } from './cypherMessages.ts';
import type { CypherRunner } from './cypherRunner.ts';

/** Nodes, edges and rows of an answer that is written at once: some milliseconds. */
const MOST_SHORT = 1000;

export interface CypherParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
  readonly runner: CypherRunner;
  readonly limits: Partial<QueryLimits>;
}

export function cypherHandlers(parts: CypherParts): Handlers<'RunCypherQuery'> {
  const { db, generations, properties } = parts;
  return {
    async RunCypherQuery({ body }, context) {
      if (body.query.trim() === '') throw apiError('emptyCypherQuery');
      const generation = generations.current();
      const data = queryDataOf(generation);
      const answer = await run(parts, generation, body, context);
      await recordAudit(db, context, {
        action: 'RunCypherQuery',
        status: 'success',
        fields: { query: withoutLiterals(body.query), milliseconds: Math.round(answer.milliseconds) },
      });
      const wantsTable = body.rows === true || body.explain === true || body.profile === true;
      // What a query that finds nothing answers in this API.
      if (!wantsTable && answer.nodes.length === 0 && !hasLiterals(answer))
        throw apiError('resourceNotFound');
      const pieces = answerPieces(answer, {
        edgeProperties: parts.edgeProperties,
        ...{ data, generation, properties, wantsTable },
        visibility: visibilityOf(data, context.principal),
        withProperties: body.include_properties ?? false,
      });
      const isShort = answer.nodes.length + answer.edges.length + answer.rows.length <= MOST_SHORT;
      if (!isShort) return { status: 200, mediaType: 'application/json', stream: jsonStream(pieces) };
      // It is there as a whole before it is begun: what fails is told by the status.
      return { status: 200, json: JSON.parse(await joined(pieces)) as { data: CypherResult } };
    },
  };
}

async function run(
  { db, runner, limits }: CypherParts,
  generation: Generation,
  body: CypherQuery,
  context: RequestContext,
): Promise<CypherAnswer> {
  const { environments } = visibilityOf(queryDataOf(generation), context.principal);
  try {
    return await runner.run(
      generation,
      {
        query: body.query,
        parameters: (body.parameters ?? {}) as ValueMap,
        limits,
        explain: body.explain === true,
        profile: body.profile === true,
        ...(environments && { environments: [...environments] }),
      },
      { owner: principalId(context.principal), signal: context.signal },
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
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw apiError('memoryExceeded');
    throw error;
  }
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** What people look for is no business of the log: names and numbers are left out. */
function withoutLiterals(query: string): string {
  const text = query
    .replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "'…'")
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '…');
  return text.slice(0, 2000);
}
