/** Changes caused by rules or zones are neither progress nor a setback: a sentence for each cause and day. */
import type { PostureSummary } from '@clew/api';
import type { Static } from 'typebox';
import { counted, formatCount, formatDate } from '../../text/formats.ts';

type Change = Static<typeof PostureSummary>['analysis_changes'][number];

const TEXTS: Readonly<Record<Change['cause'], string>> = {
  rules: 'the rules changed (an update, an extension, or a custom check)',
  zones: 'zones were edited',
  several: 'several of rules, zones, and data changed together',
};

export interface ChangeNote {
  /** Time of the first of the changes, RFC 3339: where the chart has its mark. */
  readonly at: string;
  readonly text: string;
}

/** @returns in the order of time, one for each day and cause: the number of a mark is that of its note */
export function changeNotes(changes: readonly Change[]): ChangeNote[] {
  const inOrder = [...changes].sort((a, b) => a.at.localeCompare(b.at));
  const days = Map.groupBy(inOrder, ({ at, cause }) => `${formatDate(at)} ${cause}`);
  return [...days.values()].map((ofDay) => {
    const [{ at, cause }] = ofDay as [Change, ...Change[]];
    const came = ofDay.reduce((sum, { came_count }) => sum + came_count, 0);
    const went = ofDay.reduce((sum, { went_count }) => sum + went_count, 0);
    return {
      at,
      text: `On ${formatDate(at)}, ${TEXTS[cause]}: ${counted(came, 'finding')} opened and ${formatCount(went)} closed with that. Figures before and after are not comparable.`,
    };
  });
}
