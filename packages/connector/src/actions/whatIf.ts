/** The effect of simulated changes and the paths that remain, of one analysis. */
import type { RemainingPathsRecord, SimulationRecord, SimulationRequest } from '@clew/api';
import type { CallOptions, ClewClient } from '@clew/client';

export interface WhatIf {
  readonly simulation: SimulationRecord;
  readonly remaining: RemainingPathsRecord;
}

/** An analysis can be published between the two requests. */
const MAX_ATTEMPTS = 3;

/**
 * @param limit maximum number of paths
 * @returns undefined if each attempt met another new analysis
 */
export async function whatIf(
  client: ClewClient,
  change: SimulationRequest,
  limit: number,
  options: CallOptions,
): Promise<WhatIf | undefined> {
  let simulation = (await client.call('SimulatePlan', { body: change }, options)).data;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const body = { ...change, limit };
    const remaining = (await client.call('GetRemainingPaths', { body }, options)).data;
    if (remaining.generation === simulation.generation) return { simulation, remaining };
    simulation = (await client.call('SimulatePlan', { body: change }, options)).data;
    if (remaining.generation === simulation.generation) return { simulation, remaining };
  }
  return undefined;
}

export const ANALYZED_MEANWHILE = 'the data was analyzed again during the request: repeat it';
