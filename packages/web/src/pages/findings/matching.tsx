/** The number of findings that match the filters of the list, requested before all of them are changed. */
import type { MatchingFindings } from '@clew/api';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { type findingFilters, SEVERITIES } from './filterChips.ts';

/** @param filters absent for a change of individual findings */
export function useMatching(
  filters: ReturnType<typeof findingFilters> | undefined,
): MatchingFindings | undefined {
  return useAnswer('GetMatchingFindings', { query: filters ?? {} }, { enabled: filters !== undefined }).data
    ?.data;
}

const isTooMany = ({ count, limit }: MatchingFindings): boolean => count > limit;

/** Whether all matching findings are counted, and one request can change them. */
export const canChange = (matching: MatchingFindings | undefined): boolean =>
  matching !== undefined && matching.count > 0 && !isTooMany(matching);

/** The number of matching findings by severity, and the next step if there are too many. */
export function MatchingText({ of }: { readonly of: MatchingFindings }) {
  const { count, by_severity, limit } = of;
  const parts = SEVERITIES.filter((severity) => by_severity[severity] > 0).map(
    (severity) => `${formatCount(by_severity[severity])} ${severity}`,
  );
  return (
    <>
      <p>
        {counted(count, 'finding')} {count === 1 ? 'matches' : 'match'} the filters
        {parts.length > 0 && `: ${parts.join(', ')}`}. Closed findings do not change.
      </p>
      {isTooMany(of) && (
        <p className="failure" role="alert">
          One request can change at most {formatCount(limit)}. Narrow the filters, and change the findings in
          several steps.
        </p>
      )}
    </>
  );
}
