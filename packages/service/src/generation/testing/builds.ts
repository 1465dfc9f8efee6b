/** Builds generations in tests as the worker does. */
import type { Database } from '../../store/database.ts';
import { silentLog } from '../../testing.ts';
import { createAnalysis } from '../analysis.ts';
import type { BuildContext } from '../buildGeneration.ts';
import type { Generation } from '../generation.ts';

export function buildContext(database: Database, take: (generation: Generation) => void): BuildContext {
  return {
    database,
    analysis: createAnalysis({ mode: 'clean' }),
    handOver: async (generation) => take(generation),
    log: silentLog,
    signal: new AbortController().signal,
  };
}
