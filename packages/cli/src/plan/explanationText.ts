/** `clew plan --explain`: how the plan was made, after its cards. */
import type { PlanExplanationRecord } from '@clew/api';
import type { Screen } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount } from '../terminal/text.ts';

type SearchRun = PlanExplanationRecord['searches'][number];

const PACKAGES: Readonly<Record<SearchRun['packages'], string>> = {
  wide: 'with a wide effect',
  previous: 'of the previous plan',
  near: 'near crowded objects',
  all: 'all',
};
const WAYS: Readonly<Record<SearchRun['way'], string>> = {
  whole: 'all at once',
  cuts: 'suggested by cuts',
  evaluated: 'cards evaluated',
};
const STAGES: Readonly<Record<PlanExplanationRecord['stages'][number]['stage'], string>> = {
  wide: 'first cards of packages with a wide effect',
  previous: 'cards of the previous plan',
  near: 'cards of packages near crowded objects',
  graph: 'plan graph, packages and prices',
  search: 'search for cards',
  simulation: 'simulation of cards',
  bounds: 'bounds and alternatives',
  decisions: 'decisions',
  left: 'remaining principals',
};

const COLUMNS = [
  { title: 'PACKAGES' },
  { title: 'SEARCH' },
  ...(['NUMBER', 'REPAIRS', 'STEPS', 'KERNELS', 'LARGEST', 'FLOWS', 'SEEDS', 'CARDS'] as const).map(
    (title) => ({ title, align: 'right' as const }),
  ),
];

/** @returns tables of the searches and of the time per stage */
export function explanationText(
  screen: Screen,
  explanation: PlanExplanationRecord | null | undefined,
): string {
  if (explanation == null)
    return 'The explanation is available when the plan is complete, to users who can see all environments.\n';
  const { searches, stages } = explanation;
  const rows = searches.map((one) => [
    ...[PACKAGES[one.packages], WAYS[one.way], formatCount(one.package_count)],
    ...[formatCount(one.repair_count), formatCount(one.step_count), formatCount(one.kernel_count)],
    ...[formatCount(one.kernel_step_count), formatCount(one.flow_count), formatCount(one.seed_count)],
    formatCount(one.card_count),
  ]);
  const times = stages.map(({ stage, seconds }) => [seconds.toFixed(1), STAGES[stage]]);
  return [
    'How the plan was computed:\n\n',
    formatTable(screen, COLUMNS, rows),
    '\n',
    formatTable(screen, [{ title: 'SECONDS', align: 'right' }, { title: 'STAGE' }], times),
  ].join('');
}
