/** The exposure of environments by day. */
import { useQueries } from '@tanstack/react-query';
import type { Line } from '../../parts/LineChart.tsx';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';

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
  const answers = useQueries({
    queries: environments.map(({ id }) => {
      const query = { environments: id, start, asset_group_tag_id: String(zone) };
      return {
        queryKey: ['PostureHistoryForEnvironments', 'exposure', query],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          call('PostureHistoryForEnvironments', { params: { data_type: 'exposure' }, query }, { signal }),
      };
    }),
  });
  return {
    lines: environments.map(({ name }, at) => ({
      name: cleanText(name),
      points: (answers[at]?.data?.data ?? []).map(({ date, value }) => ({ at: date, value: value / 100 })),
    })),
    isLoading: answers.some(({ isLoading }) => isLoading),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** @returns points by which a line rose or fell; nothing with fewer than two of them */
export function changeOf({ points }: Line): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  return points.length < 2 || first === undefined || last === undefined
    ? undefined
    : last.value - first.value;
}
