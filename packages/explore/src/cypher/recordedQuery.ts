/** Runs the query of a request with the limits of the service, on the environments of its principal, and records it in the audit log. */
import {
  apiError,
  isOutOfMemory,
  principalId,
  type RequestContext,
  recordAudit,
  recordSuccess,
} from '@clew/common';
import { CypherError, type QueryLimits } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { queryDataOf } from '@clew/queries';
import type { Db } from '@clew/store';
import { visibilityOf } from '../graphs/visibility.ts';
import type { CypherAnswer, CypherRequest } from './cypherMessages.ts';
import type { CypherRunner } from './cypherRunner.ts';
import { layerOwner } from './layers/layerNames.ts';
import { COMMIT_LOST } from './layers/storedLayers.ts';
import { withoutLiterals } from './withoutLiterals.ts';

export interface RecordedParts {
  readonly db: Db;
  readonly runner: CypherRunner;
  readonly limits: Partial<QueryLimits>;
}

export interface RecordedQuery {
  readonly query: string;
  /** The text of its author, where the query was made from it. */
  readonly written?: string;
  /** Named in the audit log, where it is not HTTP. */
  readonly protocol?: 'bolt';
  /** Name of the layer that it reads, and may change. */
  readonly layer?: string | undefined;
  /** Makes the rest of the request when the query begins. */
  readonly request: () => Omit<CypherRequest, 'query' | 'limits' | 'environments' | 'layer'>;
}

/** @throws CypherError, ApiError, the reason of the signal */
export async function runRecorded(
  { db, runner, limits }: RecordedParts,
  generation: Generation,
  context: RequestContext,
  { query, written = query, protocol, layer, request }: RecordedQuery,
): Promise<CypherAnswer> {
  const { principal, signal, clock, log } = context;
  const { environments } = visibilityOf(queryDataOf(generation), principal);
  const about = {
    query: withoutLiterals(written),
    ...(protocol && { protocol }),
    ...(layer !== undefined && { layer }),
  };
  const ofUser = layer === undefined ? undefined : { owner: layerOwner(principal), name: layer };
  const whole = (): CypherRequest => ({
    ...request(),
    query,
    limits,
    ...(environments && { environments: [...environments] }),
    ...(ofUser && { layer: ofUser }),
  });
  let answer: CypherAnswer;
  try {
    const origin = { owner: principalId(principal), signal, ...(clock && { clock }) };
    answer = await runner.run(generation, whole, origin);
  } catch (error) {
    const reason = error instanceof CypherError ? error.kind : 'ended';
    await recordAudit(db, context, {
      action: 'RunCypherQuery',
      status: 'failure',
      fields: { ...about, reason },
    }).catch(() => {});
    if (isOutOfMemory(error)) throw apiError('memoryExceeded');
    if ((error as Error).name !== COMMIT_LOST) throw error;
    log.error({ err: error }, 'the database did not confirm the change of a layer');
    throw apiError('layerMayHaveChanged');
  }
  const milliseconds = Math.round(answer.milliseconds);
  await afterChange(answer, context, () =>
    recordSuccess(db, context, 'RunCypherQuery', { ...about, milliseconds }),
  );
  return answer;
}

/**
 * After a query has changed a layer, clients must not repeat it: no failure of the rest may ask them to, and none may hide the change, also
 * not the end of the time limit.
 */
export async function afterChange<Result>(
  { changes }: CypherAnswer,
  { log, clock, signal }: Pick<RequestContext, 'log' | 'clock' | 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (changes !== undefined) clock?.expireWith(apiError('layerChangedOnly'));
  try {
    return await work();
  } catch (error) {
    if (changes === undefined || (signal.reason as Error | undefined)?.name === 'ClientGone') throw error;
    log.error({ err: error }, 'the answer to a query that changed a layer failed');
    throw apiError('layerChangedOnly');
  }
}
