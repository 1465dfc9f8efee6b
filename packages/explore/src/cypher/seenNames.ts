/** Names that the objects and relationships have which someone may see: definitions and checks are compared with them. */
import { ApiError, isOutOfMemory, principalId, type RequestContext } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { queryDataOf } from '@clew/queries';
import { visibilityOf } from '../graphs/visibility.ts';
import type { CypherRunner } from './cypherRunner.ts';
import type { GraphNames } from './graphNames.ts';

/** @returns nothing where too many queries wait, or no memory is left: names only make messages better */
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
