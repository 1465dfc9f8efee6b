/** Attack paths that remain after a change, with the repairs that close each, for a terminal. */
import type { RemainingPathsRecord, SimulationRecord } from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import { costText, effortWords, shareOf } from '@clew/model';
import { CUT_LEGEND, pathLine } from '../terminal/pathLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { plural, printable } from '../terminal/text.ts';
import { principals } from './planPages.ts';

/** @param before exposures of the zone after the simulated change */
export function remainingPathsText(
  { paths, is_complete }: Pick<RemainingPathsRecord, 'paths' | 'is_complete'>,
  before: SimulationRecord['after'],
  phraseOf: PhraseOf,
  screen: Pick<Screen, 'width'>,
): string[] {
  if (paths.length === 0) return [];
  const lines = [
    `${plural(paths.length, 'path')} left, the easiest first; each is the easiest after the repairs of the paths before it. ${CUT_LEGEND}`,
  ];
  let exposures = before;
  for (const [at, { nodes, steps, effort, principal_count, closed_by, after }] of paths.entries()) {
    const users = principal_count === null ? '' : `, ${principals(principal_count)}`;
    const relations = steps.map(({ kind }) => kind);
    const cut = closed_by === null ? {} : { cut: closed_by.step };
    lines.push(`${at + 1}. ${effortWords(effort)}${users}`);
    lines.push(pathLine(screen, { nodes, relations }, phraseOf, { lead: '   ', indent: 5, ...cut }));
    if (closed_by === null) lines.push('   No change is known that closes it.');
    else {
      const titles = closed_by.repairs.map(({ title }) => printable(title)).join('; ');
      lines.push(`   Closed by: ${titles}. Cost ${costText(closed_by.cost)}.${fallText(exposures, after)}`);
    }
    if (after.length > 0) exposures = after;
  }
  lines.push(
    is_complete ? 'After these repairs, no path is left.' : 'More paths are left after these repairs.',
  );
  return lines;
}

/** " Exposure 24.8% -> 21.5%.", or nothing without figures. */
function fallText(before: SimulationRecord['after'], after: SimulationRecord['after']): string {
  const zone = after[0]?.asset_group_tag_id;
  const same = before.filter(({ asset_group_tag_id }) => asset_group_tag_id === zone);
  return same.length === 0 ? '' : ` Exposure ${shareText(same)} -> ${shareText(after)}.`;
}

const shareText = (all: SimulationRecord['after']): string =>
  shareOf(
    all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
    all.reduce((sum, { principal_count }) => sum + principal_count, 0),
  );
