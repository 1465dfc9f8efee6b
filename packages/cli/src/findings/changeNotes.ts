/** Notes about changes caused by rules or zones, which are neither progress nor a setback. */

import type { PostureSummary } from '@clew/api';
import { counted } from '@clew/model';
import { formatCount, printable } from '../terminal/text.ts';

const TEXTS = {
  rules: 'the rules changed (an update, an extension, or a custom check)',
  zones: 'zones were edited',
  answers: 'someone answered a question about a CA',
  several: 'several of rules, zones, answers and data changed together',
} as const;

/** @returns a sentence per cause and day */
export function changeNotes(changes: PostureSummary['analysis_changes']): string[] {
  const days = Map.groupBy(changes, ({ at, cause }) => `${at.slice(0, 10)} ${TEXTS[cause]}`);
  return [...days].map(([what, ofDay]) => {
    const came = ofDay.reduce((sum, { came_count }) => sum + came_count, 0);
    const went = ofDay.reduce((sum, { went_count }) => sum + went_count, 0);
    const effect = `${counted(came, 'finding')} opened and ${formatCount(went)} closed because of that`;
    const because = [...new Set(ofDay.flatMap((each) => each.because))].map(printable).join('; ');
    const who = because === '' ? '' : ` (${because})`;
    return `on ${what}${who}; ${effect}. Figures before and after are not comparable.`;
  });
}
