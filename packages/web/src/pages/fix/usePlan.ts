/** The plan of a zone, polled while it is being computed; cards that are already known stay until it is complete. */
import type { ComputingRecord, PlanRecord } from '@clew/api';
import { DEFAULT_GOAL } from '@clew/model';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Address } from '../../address.ts';
import { call } from '../../service/client.ts';

export const MAX_CARDS = 50;
/**
 * Seconds within which the service answers with the available results: initially the previous plan and its date. It needs a part of them
 * for the answer: with one second, a busy service answered 500.
 */
const FIRST_WAIT_SECONDS = 3;
const WAIT_SECONDS = 5;
const LOOK_MS = 3000;
export const DEFAULT_PERCENT = 100 * DEFAULT_GOAL;
export const MAX_GOAL = 90;

export const zoneOf = (address: Address): number => address.number('zone', 1) || 1;
export const goalOf = (address: Address): number =>
  Math.min(address.number('goal', DEFAULT_PERCENT), MAX_GOAL);

export interface PlanQuestion {
  readonly zone: number;
  /** Percentage of each environment that may stay exposed. */
  readonly goal: number;
  /** Object id of an environment, to which the plan is limited. */
  readonly env: string | undefined;
}

export const questionOf = (address: Address): PlanQuestion => ({
  zone: zoneOf(address),
  goal: goalOf(address),
  env: address.get('env'),
});

/** The question for the stored plan, whose card numbers findings refer to. */
export const storedQuestion = (zone: number): PlanQuestion => ({
  ...{ zone, goal: DEFAULT_PERCENT, env: undefined },
});

/** Whether the cards have the numbers of the stored plan. */
export const hasStoredNumbers = ({ goal, env }: PlanQuestion): boolean =>
  goal >= DEFAULT_PERCENT && env === undefined;

export function usePlan(
  question: PlanQuestion,
  limit: number,
  isWanted = true,
): UseQueryResult<PlanRecord | ComputingRecord> {
  const { zone, goal, env } = question;
  return useQuery({
    queryKey: ['GetPlan', question, limit],
    enabled: isWanted,
    queryFn: async ({ signal, client, queryKey }) => {
      const wait = client.getQueryData(queryKey) === undefined ? FIRST_WAIT_SECONDS : WAIT_SECONDS;
      const asked = {
        query: {
          asset_group_tag_id: zone,
          limit,
          ...(goal !== DEFAULT_PERCENT && { goal: goal / 100 }),
          ...(env !== undefined && { environment: env }),
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
