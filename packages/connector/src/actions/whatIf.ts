/** The effect of simulated changes and the paths that remain, of one analysis. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RemainingPathsRecord, SimulationRecord, SimulationRequest } from '@clew/api';
import type { CallOptions, ClewClient } from '@clew/client';

export interface WhatIf {
  readonly simulation: SimulationRecord;
  readonly remaining: RemainingPathsRecord;
}

/** An analysis can be published between the two requests. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 2000;

/**
 * @param limit maximum number of paths
 * @returns undefined if the answers of each attempt are of different analyses
 */
export async function whatIf(
  client: ClewClient,
  change: SimulationRequest,
  limit: number,
  options: CallOptions,
): Promise<WhatIf | undefined> {
  const ask = { simulate: { body: change }, find: { body: { ...change, limit } } };
  let simulation = (await client.call('SimulatePlan', ask.simulate, options)).data;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(PAUSE_MS, undefined, { signal: options.signal });
    // Another process of the service may still load the newer analysis.
    const { generation } = simulation;
    const remaining = (await client.call('GetRemainingPaths', ask.find, { ...options, generation })).data;
    if (remaining.generation === generation) return { simulation, remaining };
    const newer = { ...options, generation: Math.max(remaining.generation, generation) };
    simulation = (await client.call('SimulatePlan', ask.simulate, newer)).data;
    if (remaining.generation === simulation.generation) return { simulation, remaining };
  }
  return undefined;
}

export const ANALYZED_MEANWHILE = 'the data was analyzed again during the request: repeat it';
