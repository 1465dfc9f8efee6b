/** The plan for people and ticket systems: terminal, Markdown, CSV. */
import { csvLine, type PlanRecord, type PlanRepairRecord } from '@clew/api';
import { percent } from '../findings/readFindings.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatCount, padTo, plural, printable, shownName } from '../terminal/text.ts';

/** Of a large organisation the first answer about an analysis takes minutes. */
export const WAIT_SECONDS = 600;

/** "Do these five: CORP.LOCAL 95 % -> 11 %". */
export function headline({ before, repairs, order }: PlanRecord): string {
  if (before.length === 0) return 'The zone has no members in any environment.';
  const exposed = before.filter(({ exposed_count }) => exposed_count > 0);
  if (exposed.length === 0) return 'No principal outside the zone comes to it.';
  if (repairs.length === 0) return 'No repair is known that lowers the exposure.';
  const after = repairs.at(-1)?.exposure ?? before;
  if (order === 'width') {
    const what = repairs.length === 1 ? 'This repair takes' : `These ${repairs.length} take`;
    return `So many ways lead in that no few repairs keep many out. ${what} away what most paths run over: ${changes(before, after).join(', ')}`;
  }
  if (moved(before, after).length === 0)
    return `These ${repairs.length} lower nothing by themselves: more have to be done together (--limit).`;
  const count = repairs.length === 1 ? 'Do this one' : `Do these ${repairs.length}`;
  return `${count}: ${changes(before, after).join(', ')}`;
}

type Exposures = PlanRecord['before'];

function changes(before: Exposures, after: Exposures): string[] {
  return before
    .filter(({ exposed_count }) => exposed_count > 0)
    .map(({ environment_id, environment_name, exposure, exposed_count }) => {
      const left = exposureIn(after, environment_id);
      const [from, to] = [percent(exposure), percent(left)];
      const fewer = exposed_count - (exposedIn(after, environment_id) ?? 0);
      // In a large organisation thousands do not show in a percentage.
      const hidden = from === to && fewer > 0 ? ` (${plural(fewer, 'principal')} fewer)` : '';
      return `${shownName(environment_name)} ${from} -> ${to}${hidden}`;
    });
}

const exposureIn = (exposures: Exposures, id: string): number =>
  exposures.find(({ environment_id }) => environment_id === id)?.exposure ?? 0;

const exposedIn = (exposures: Exposures, id: string): number | undefined =>
  exposures.find(({ environment_id }) => environment_id === id)?.exposed_count;

/** What moved with one repair; nothing where it works with later ones only. */
function moved(before: Exposures, after: Exposures): string[] {
  return changes(
    before.filter(({ environment_id, exposure }) => exposureIn(after, environment_id) !== exposure),
    after,
  );
}

const NO_EFFECT = 'none alone: it takes those after it';
const NO_EFFECT_YET = 'none yet: it takes more repairs than these (--limit)';

/** What each repair does after those before it, in words. */
export function effectsOf({ before, repairs }: PlanRecord): string[] {
  let last = before;
  return repairs.map(({ exposure }, at) => {
    const effect = moved(last, exposure);
    last = exposure;
    if (effect.length > 0) return effect.join(', ');
    const isUsedLater = repairs.slice(at + 1).some((later) => moved(exposure, later.exposure).length > 0);
    return isUsedLater ? NO_EFFECT : NO_EFFECT_YET;
  });
}

export function planText(screen: Pick<Screen, 'style'>, plan: PlanRecord): string {
  const lines = [screen.style('bold', headline(plan)), ''];
  const effects = effectsOf(plan);
  for (const [at, step] of plan.repairs.entries()) {
    lines.push(
      `${padTo(String(at + 1), 3, 'right')}. ${screen.style('bold', printable(step.title))}`,
      ...details(step).map(([name, text]) => `     ${padTo(name, 9)} ${printable(text)}`),
      `     ${padTo('effect', 9)} ${effects[at]}`,
      '',
    );
  }
  return `${lines.join('\n')}`;
}

function details(step: PlanRepairRecord): [string, string][] {
  const found: [string, string][] = [
    ['change', step.change],
    ['check', step.check],
    ['risk', step.risk],
  ];
  if (step.affected_count !== null)
    found.push(['held by', `${formatCount(step.affected_count)} principals${holders(step)}`]);
  if (step.change_count > 1)
    found.push(['covers', plural(step.change_count, 'relation or value', 'relations and values')]);
  found.push(['closes', closings(step)]);
  if (step.opened_count > 0) found.push(['brings', plural(step.opened_count, 'other finding')]);
  return found;
}

function holders({ affected_holders }: PlanRepairRecord): string {
  const names = affected_holders.map(({ name }) => shownName(name));
  return names.length === 0
    ? ''
    : `, through ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' ...' : ''}`;
}

function closings({ closed, closed_count }: PlanRepairRecord): string {
  if (closed_count === 0) return 'no finding alone';
  const types = [...new Set(closed.map(({ title }) => title))];
  return `${plural(closed_count, 'finding')}: ${types.slice(0, 3).join('; ')}${types.length > 3 ? '; ...' : ''}`;
}

export function planMarkdown(plan: PlanRecord): string {
  const lines = [
    `# ${escaped(headline(plan))}`,
    '',
    '| Environment | Before | After |',
    '| --- | ---: | ---: |',
  ];
  const after = plan.repairs.at(-1)?.exposure ?? plan.before;
  for (const { environment_id, environment_name, exposure } of plan.before)
    lines.push(
      `| ${escaped(environment_name)} | ${percent(exposure)} | ${percent(exposureIn(after, environment_id))} |`,
    );
  const effects = effectsOf(plan);
  for (const [at, step] of plan.repairs.entries()) {
    lines.push('', `## ${at + 1}. ${escaped(step.title)}`, '');
    for (const [name, text] of details(step)) lines.push(`- **${name}**: ${escaped(text)}`);
    lines.push(`- **effect**: ${escaped(effects[at] ?? '')}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Names come from the directory: they are text, never markup. */
const escaped = (text: string): string =>
  printable(text)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (mark) => `\\${mark}`);

const CSV_COLUMNS = [
  'rank',
  'title',
  'change',
  'check',
  'risk',
  'held by',
  'findings closed',
  'effect',
] as const;

export function planCsv(plan: PlanRecord): string {
  const effects = effectsOf(plan);
  const rows = plan.repairs.map((step, at) => [
    ...[at + 1, step.title, step.change, step.check, step.risk],
    ...[step.affected_count ?? '', step.closed_count, effects[at] ?? ''],
  ]);
  return [CSV_COLUMNS, ...rows].map(csvLine).join('');
}
