/** Names of visible objects and relationships, with which definitions and checks are compared. */
import { ApiError, isOutOfMemory, principalId, type RequestContext } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { queryDataOf } from '@clew/queries';
import { visibilityOf } from '../graphs/visibility.ts';
import type { CypherRunner } from './cypherRunner.ts';
import type { GraphNames } from './graphNames.ts';

/** @returns `undefined` if too many queries are waiting, or memory is exhausted: names only improve messages */
export async function namesSeenBy(
  runner: Pick<CypherRunner, 'names'>,
  generations: Pick<GenerationSource, 'current'>,
  { principal, signal }: RequestContext,
): Promise<GraphNames | undefined> {
  const generation = generations.current();
  const { environments } = visibilityOf(queryDataOf(generation), principal);
  try {
    return await runner.names(generation, environments, { owner: principalId(principal), signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError || isOutOfMemory(error)) return undefined;
    throw error;
  }
}
