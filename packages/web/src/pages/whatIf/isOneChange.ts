/** How many changes a simulation has. */
import type { SimulationRequest } from '@clew/api';

export const isOneChange = ({ repairs, remove, add, disable }: SimulationRequest): boolean =>
  [repairs, remove, add, disable].reduce((sum, list) => sum + (list?.length ?? 0), 0) === 1;
