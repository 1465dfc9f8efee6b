/** The exposure of environments by analysis. */
import type { AnswerOf } from '@clew/api';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Line } from '../../parts/chartLines.ts';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { changeOf, historyAsked, MAX_ASKED } from './exposureHistory.ts';

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
  const answers = useQueries({ queries: environments.map(({ id }) => historyQuery([id], start, zone)) });
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
 * The change of the combined exposure of environments, including those without a line. The service weights each by its users and
 * computers in each analysis.
 * @param environments for more than {@link MAX_ASKED}, nothing is requested
 * @returns the change since the first analysis of the period, and the time of that analysis; undefined with fewer than two analyses
 */
export function useExposureChange(
  environments: readonly string[],
  start: string,
  zone: number,
): { readonly by: number; readonly since: string } | undefined {
  const enabled = environments.length > 0 && environments.length <= MAX_ASKED;
  const { data } = useQuery({ ...historyQuery(environments, start, zone), enabled });
  const points = pointsOf(data);
  const by = changeOf({ points });
  return by === undefined || points[0] === undefined ? undefined : { by, since: points[0].at };
}

function historyQuery(environments: readonly string[], start: string, zone: number) {
  const query = historyAsked(environments, start, zone);
  return {
    queryKey: ['PostureHistoryForEnvironments', 'exposure', query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('PostureHistoryForEnvironments', { params: { data_type: 'exposure' }, query }, { signal }),
  };
}

const pointsOf = (answer: AnswerOf<'PostureHistoryForEnvironments'> | undefined): Line['points'] =>
  (answer?.data ?? []).map(({ date, value }) => ({ at: date, value: value / 100 }));
