/**
 * An analysis can be published between both answers of the page: then the older one is requested again. Another process of the service may
 * simulate on the older analysis for some seconds, so there are several attempts.
 */
import type { RemainingPathsRecord, SimulationRequest } from '@clew/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIsSimulating, useSimulateAgain } from './simulation.ts';

const MAX_ATTEMPTS = 5;
/** Before each attempt except the first. */
const PAUSE_MS = 2000;

interface Answers {
  /** Generation of the simulation. */
  readonly simulated: number;
  readonly query: Pick<UseQueryResult<RemainingPathsRecord>, 'data' | 'isFetching' | 'refetch'>;
}

interface Attempts {
  /** The answers still differ after all attempts. */
  readonly isGivenUp: boolean;
  readonly tryAgain: () => void;
}

export function useSameGeneration(request: SimulationRequest, { simulated, query }: Answers): Attempts {
  const [attempts, setAttempts] = useState(0);
  const simulateAgain = useSimulateAgain();
  const { refetch } = query;
  const found = query.data?.generation;
  const isSame = found === undefined || found === simulated;
  const isAwaited = useIsSimulating(request) || query.isFetching;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt for each pair of complete answers.
  useEffect(() => {
    if (isSame) setAttempts(0);
    if (isSame || isAwaited || attempts === MAX_ATTEMPTS) return;
    const attempt = (): void => {
      setAttempts(attempts + 1);
      if (found > simulated) simulateAgain();
      else void refetch();
    };
    const timer = setTimeout(attempt, attempts === 0 ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [found, simulated, isAwaited, attempts]);
  return { isGivenUp: !isSame && !isAwaited && attempts === MAX_ATTEMPTS, tryAgain: () => setAttempts(0) };
}
