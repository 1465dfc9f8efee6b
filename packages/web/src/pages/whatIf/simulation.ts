/** Simulations of changes, as queries; nothing is stored. */
import type { SimulationRequest } from '@clew/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../service/client.ts';

const keyOf = (request: SimulationRequest) => ['SimulatePlan', request] as const;

export function useSimulation(request: SimulationRequest, enabled = true) {
  return useQuery({
    queryKey: keyOf(request),
    enabled,
    queryFn: async ({ signal }) =>
      (await call('SimulatePlan', { body: request }, { signal, wait: 120 })).data,
    placeholderData: (before) => before,
  });
}

/** @returns a function that simulates the changes of this request again */
export function useSimulateAgain(request: SimulationRequest): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: keyOf(request), exact: true });
}

/** @returns a function that cancels the simulation of this request only */
export function useCancel(request: SimulationRequest): () => void {
  const client = useQueryClient();
  return () => void client.cancelQueries({ queryKey: keyOf(request), exact: true });
}
