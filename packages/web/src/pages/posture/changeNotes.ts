/** What moved because rules or zones did is no progress, and no setback: a sentence for each cause and day. */
import type { PostureSummary } from '@clew/api';
import type { Static } from 'typebox';
import { counted, formatCount } from '../../text/formats.ts';

type Change = Static<typeof PostureSummary>['analysis_changes'][number];

const TEXTS: Readonly<Record<Change['cause'], string>> = {
  rules: 'the rules changed (an update, an extension, or a custom check)',
  zones: 'zones were edited',
  several: 'several of rules, zones, and data changed together',
};

export function changeNotes(changes: readonly Change[]): string[] {
  const days = Map.groupBy(changes, ({ at, cause }) => `${at.slice(0, 10)} ${TEXTS[cause]}`);
  return [...days].map(([what, ofDay]) => {
    const came = ofDay.reduce((sum, { came_count }) => sum + came_count, 0);
    const went = ofDay.reduce((sum, { went_count }) => sum + went_count, 0);
    return `On ${what}: ${counted(came, 'finding')} opened and ${formatCount(went)} closed with that. Figures before and after are not comparable.`;
  });
}
