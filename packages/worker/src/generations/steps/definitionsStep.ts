/** Adds the relationships that definitions of other platforms derive. */
import { SourceNumbers } from '@clew/intake';
import { deriveByDefinitions, keptByDefinitions } from '@clew/judgment';
import { type Derivations, publishDerivations, storedFacts } from '../definitions/publishDerivations.ts';
import { countDerivedSets } from '../deriveAgain.ts';
import type { Step } from '../step.ts';
import { deriveStep } from './deriveStep.ts';
import { loadStep } from './loadStep.ts';

/** Its graph has all edges, for the steps after it. */
interface Defined extends Derivations {
  readonly warnings: readonly string[];
  /** Number of edge sets that they have in the store. */
  readonly sets: number;
}

export const definitionsStep: Step<Defined> = {
  name: 'definitions',
  async work(build) {
    const { client, context } = build;
    const { analysis, database, signal, memory } = context;
    const { loaded } = build.resultOf(loadStep);
    const { graph: derived, change, known: storedSets } = build.resultOf(deriveStep);
    const known = memory.definitions?.load === change?.since ? memory.definitions : undefined;
    const { graph, ran } = await deriveByDefinitions({
      ...{ client, graph: derived, loaded },
      options: { connection: database.connection, signal, bounds: analysis.selectors },
      ...(known !== undefined && change !== undefined && { before: { ran: known.ran, change } }),
    }).catch((error: Error) => {
      if (signal.aborted) throw error;
      context.log.error(
        { err: error },
        'definitions could not be applied; the edges that they derived before are kept',
      );
      return keptByDefinitions(client, derived, 'the service failed to compute it');
    });
    const stored = storedFacts(graph, ran);
    // The load counted the sets of both: if some are missing, all are written.
    const isWritten =
      storedSets?.isCounted === true && known?.ran.length === ran.length && ran.every(({ isSame }) => isSame);
    const warnings = ran.flatMap(({ of, error }) =>
      error === undefined ? [] : [`${of.kindName} could not be derived: ${error}`],
    );
    const sets = stored === undefined ? 0 : countDerivedSets(stored.graph);
    return { graph, ran, stored, isWritten, warnings, sets };
  },
  async publish({ client, context }, derivations) {
    const sources = new SourceNumbers(context.database.pool);
    await publishDerivations(client, derivations, (name) => sources.numberOf(name));
  },
};
