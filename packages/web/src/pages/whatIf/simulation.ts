/** Simulations of changes, as queries; nothing is stored. */
import type { SimulationRequest } from '@clew/api';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../service/client.ts';

const ALL = ['SimulatePlan'] as const;
const keyOf = (request: SimulationRequest) => [...ALL, request] as const;

export function useSimulation(request: SimulationRequest, enabled = true) {
  return useQuery({
    queryKey: keyOf(request),
    enabled,
    queryFn: async ({ signal }) =>
      (await call('SimulatePlan', { body: request }, { signal, wait: 120 })).data,
    placeholderData: (before) => before,
  });
}

/** @returns a function that repeats all simulations, so that all shown figures are of the newer analysis */
export function useSimulateAgain(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ALL });
}

/** Whether an answer to this request is awaited. */
export const useIsSimulating = (request: SimulationRequest): boolean =>
  useIsFetching({ queryKey: keyOf(request), exact: true }) > 0;

/** @returns a function that cancels the simulation of this request only */
export function useCancel(request: SimulationRequest): () => void {
  const client = useQueryClient();
  return () => void client.cancelQueries({ queryKey: keyOf(request), exact: true });
}
