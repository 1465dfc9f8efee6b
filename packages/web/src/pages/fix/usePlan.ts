/** The plan of the zone and the goal that the address names; looked at again while it is being made. */
import type { ComputingRecord, PlanRecord } from '@clew/api';
import { DEFAULT_GOAL } from '@clew/model';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Address } from '../../address.ts';
import { call } from '../../service/client.ts';

export const MAX_CARDS = 50;
/** Seconds after which the service answers with the available results, at first with the last plan and its date. */
const FIRST_WAIT_SECONDS = 1;
const WAIT_SECONDS = 5;
const LOOK_MS = 3000;
/** Percent. */
export const DEFAULT_PERCENT = 100 * DEFAULT_GOAL;
export const MAX_GOAL = 90;

export const zoneOf = (address: Address): number => address.number('zone', 1) || 1;
export const goalOf = (address: Address): number =>
  Math.min(address.number('goal', DEFAULT_PERCENT), MAX_GOAL);

export function usePlan(
  address: Address,
  limit: number,
  zone = zoneOf(address),
): UseQueryResult<PlanRecord | ComputingRecord> {
  const goal = goalOf(address);
  return useQuery({
    queryKey: ['GetPlan', zone, goal, limit],
    queryFn: async ({ signal, client, queryKey }) => {
      const wait = client.getQueryData(queryKey) === undefined ? FIRST_WAIT_SECONDS : WAIT_SECONDS;
      const asked = {
        query: {
          asset_group_tag_id: zone,
          limit,
          ...(goal !== DEFAULT_PERCENT && { goal: goal / 100 }),
        },
      };
      return (await call('GetPlan', asked, { signal, wait })).data;
    },
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (!('cards' in data) || data.computing !== null) ? LOOK_MS : false,
  });
}

export const planIn = (data: PlanRecord | ComputingRecord | undefined): PlanRecord | undefined =>
  data !== undefined && 'cards' in data ? data : undefined;
