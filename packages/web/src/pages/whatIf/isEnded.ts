/** Whether the user ended a simulation. */
import type { SimulationRecord } from '@clew/api';
import type { UseQueryResult } from '@tanstack/react-query';

/**
 * A query that was ended goes back to the answer of the changes before, which is not that of these. Offline, a query is paused and not
 * ended: it goes on with the connection.
 */
export const isEnded = ({
  data,
  error,
  fetchStatus,
  isPlaceholderData,
}: Pick<UseQueryResult<SimulationRecord>, 'data' | 'error' | 'fetchStatus' | 'isPlaceholderData'>): boolean =>
  fetchStatus === 'idle' && error === null && (data === undefined || isPlaceholderData);
