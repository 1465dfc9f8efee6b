/** The exposure of environments by day. */
import type { AnswerOf } from '@clew/api';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Line } from '../../parts/LineChart.tsx';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { changeOf, historyAsked } from './exposureHistory.ts';

export interface HistoryOf {
  readonly id: string;
  readonly name: string;
}

export interface ExposureHistory {
  readonly lines: readonly Line[];
  readonly isLoading: boolean;
  readonly error: unknown;
}

export function useExposureHistory(
  environments: readonly HistoryOf[],
  start: string,
  zone: number,
): ExposureHistory {
  const answers = useQueries({ queries: environments.map(({ id }) => historyQuery(id, start, zone)) });
  return {
    lines: environments.map(({ id, name }, at) => ({
      id,
      name: cleanText(name),
      points: pointsOf(answers[at]?.data),
    })),
    isLoading: answers.some(({ isLoading }) => isLoading),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}

/**
 * By how much the exposure rose or fell over all environments together, those without a line as well, or over one. The service
 * weights each by its users and computers on each day.
 */
export function useExposureChange(env: string | undefined, start: string, zone: number): number | undefined {
  const { data } = useQuery(historyQuery(env, start, zone));
  return changeOf({ points: pointsOf(data) });
}

/** @param environment as {@link historyAsked} */
function historyQuery(environment: string | undefined, start: string, zone: number) {
  const query = historyAsked(environment, start, zone);
  return {
    queryKey: ['PostureHistoryForEnvironments', 'exposure', query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('PostureHistoryForEnvironments', { params: { data_type: 'exposure' }, query }, { signal }),
  };
}

const pointsOf = (answer: AnswerOf<'PostureHistoryForEnvironments'> | undefined): Line['points'] =>
  (answer?.data ?? []).map(({ date, value }) => ({ at: date, value: value / 100 }));
