/**
 * Changes caused by rules, zones, or less complete collections are neither progress nor a setback: a sentence per cause and day,
 * and per such collection.
 */
import type { PostureSummary } from '@clew/api';
import type { Static } from 'typebox';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatDate } from '../../text/formats.ts';

type Summary = Static<typeof PostureSummary>;
type Change = Summary['analysis_changes'][number];

const TEXTS: Readonly<Record<Change['cause'], string>> = {
  rules: 'the rules changed (an update, an extension, or a custom check)',
  zones: 'zones were edited',
  answers: 'someone answered a question about a CA',
  several: 'several of rules, zones, answers, and data changed together',
};

export interface ChangeNote {
  /** Time of the first of the changes (RFC 3339), for the mark in the chart. */
  readonly at: string;
  readonly text: string;
}

/** @returns notes in chronological order, one per day and cause: the number of a mark is that of its note */
export function changeNotes(
  changes: readonly Change[],
  notReported: Summary['not_reported'] = [],
): ChangeNote[] {
  const inOrder = [...changes].sort((a, b) => a.at.localeCompare(b.at));
  const days = Map.groupBy(inOrder, ({ at, cause }) => `${formatDate(at)} ${cause}`);
  const ofCauses = [...days.values()].map((ofDay) => {
    const [{ at, cause }] = ofDay as [Change, ...Change[]];
    const came = ofDay.reduce((sum, { came_count }) => sum + came_count, 0);
    const went = ofDay.reduce((sum, { went_count }) => sum + went_count, 0);
    const because = [...new Set(ofDay.flatMap((each) => each.because))].map(cleanText).join('; ');
    const who = because === '' ? '' : ` (${because})`;
    return {
      at,
      text: `On ${formatDate(at)}, ${TEXTS[cause]}${who}: ${counted(came, 'finding')} opened and ${formatCount(went)} closed because of that. Figures before and after are not comparable.`,
    };
  });
  const ofFalls = notReported.map(({ at, text }) => ({
    at,
    text: `On ${formatDate(at)}: ${cleanText(text)}`,
  }));
  return [...ofCauses, ...ofFalls].sort((a, b) => a.at.localeCompare(b.at));
}
