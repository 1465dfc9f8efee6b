/** Builds generations in tests as the worker does. */

import type { Generation } from '@clew/generation';
import type { Database } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { createAnalysis } from '../../src/generations/analysis.ts';
import { BuildMemory } from '../../src/generations/buildMemory.ts';
import type { BuildContext } from '../../src/generations/step.ts';

export function buildContext(database: Database, take: (generation: Generation) => void): BuildContext {
  return {
    database,
    analysis: createAnalysis({ mode: 'clean' }),
    previous: () => undefined,
    memory: new BuildMemory(),
    handOver: async (generation) => take(generation),
    log: silentLog,
    signal: new AbortController().signal,
  };
}
