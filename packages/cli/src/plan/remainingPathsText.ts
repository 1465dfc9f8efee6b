/** Attack paths that remain after a change, with the repairs that close each, for a terminal. */
import type { RemainingPathsRecord, SimulationRecord } from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import { costText, counted, effortWords, principalsText, shareOf } from '@clew/model';
import { CUT_LEGEND, pathLine } from '../terminal/pathLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { printable, shownName } from '../terminal/text.ts';

export function remainingPathsText(
  { exposure, paths, end }: Pick<RemainingPathsRecord, 'exposure' | 'paths' | 'end'>,
  phraseOf: PhraseOf,
  screen: Pick<Screen, 'width'>,
): string[] {
  if (paths.length === 0) return [printable(end.text)];
  const lines = [
    `${counted(paths.length, 'path')} left, the easiest first; each is the easiest after the repairs of the paths before it. ${CUT_LEGEND}`,
  ];
  let exposures: SimulationRecord['after'] = exposure;
  for (const [
    at,
    { nodes, steps, effort, principal_count, closed_by, not_closed, after },
  ] of paths.entries()) {
    const users = principal_count === null ? '' : `, ${principalsText(principal_count)}`;
    const relations = steps.map(({ kind }) => kind);
    const cut = closed_by === null ? {} : { cut: closed_by.step };
    lines.push(`${at + 1}. ${effortWords(effort)}${users}`);
    lines.push(pathLine(screen, { nodes, relations }, phraseOf, { lead: '   ', indent: 5, ...cut }));
    if (closed_by === null) lines.push(`   ${printable(not_closed?.text ?? '')}`);
    else {
      const titles = closed_by.repairs.map(({ title }) => printable(title)).join('; ');
      lines.push(`   Closed by: ${titles}. Cost ${costText(closed_by.cost)}.${fallText(exposures, after)}`);
    }
    if (after.length > 0) exposures = after;
  }
  lines.push(printable(end.text));
  return lines;
}

/** " Exposure of 3 environments: 24.8% -> 21.5%.", or nothing without figures. */
function fallText(before: SimulationRecord['after'], after: SimulationRecord['after']): string {
  return before.length === 0 || after.length === 0
    ? ''
    : ` ${exposureName(before)}: ${shareText(before)} -> ${shareText(after)}.`;
}

/** The base of a share. Users may see only some environments. */
export const exposureName = (all: SimulationRecord['after']): string => {
  const [only] = all;
  return all.length === 1 && only !== undefined
    ? `Exposure of ${shownName(only.environment_name)}`
    : `Exposure of ${counted(all.length, 'environment')}`;
};

export const shareText = (all: SimulationRecord['after']): string =>
  shareOf(
    all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
    all.reduce((sum, { principal_count }) => sum + principal_count, 0),
  );
