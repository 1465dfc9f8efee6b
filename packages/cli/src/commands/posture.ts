/** `clew posture`: whether it improves. One line per measure and environment, with one bar per day. */
import { SEVERITIES } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { notSaidSummary } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { changeNotes } from '../findings/changeNotes.ts';
import { notReadText } from '../findings/notRead.ts';
import { chosenEnvironments, chosenZone, rankedZoneQuery } from '../findings/readFindings.ts';
import { formatMeasure, type Posture, readPosture } from '../findings/readPosture.ts';
import type { Screen } from '../terminal/screen.ts';
import { sparkLine } from '../terminal/spark.ts';
import { formatCount, padTo, printable, shownName, writeJson } from '../terminal/text.ts';

export interface PostureOptions extends ConnectionOptions {
  readonly environment?: string;
  readonly zone?: string;
  readonly days: number;
  readonly json?: boolean;
}

export async function posture(context: Context, options: PostureOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const environments = await chosenEnvironments(client, options.environment, signal);
  const zone = options.zone === undefined ? undefined : await chosenZone(client, options.zone, signal);
  const asked = { days: options.days, zone };
  const postures = await Promise.all(
    environments.map((environment) => readPosture(client, environment, asked, signal)),
  );
  if (options.json) return writeJson(out, postures);
  if (postures.length === 0)
    err.write('No environment is collected yet: "clew ingest FILE" uploads a collection.\n');
  else out.write(await scoreText(context, client, zone?.id));
  out.write(postures.map((each) => formatPosture(out, each)).join('\n'));
  out.write(await notReadText(client, signal));
  const { data: plans } = await client.call('ListAdoptedPlans', {}, { signal });
  const ofZone = plans.filter(({ asset_group_tag_id }) => asset_group_tag_id === (zone?.id ?? TIER_ZERO));
  for (const { name, text } of ofZone) out.write(`\nPlan ${printable(name)}: ${printable(text)}\n`);
}

const TIER_ZERO = 1;

async function scoreText(
  { out, signal }: Context,
  client: ClewClient,
  zone: number | undefined,
): Promise<string> {
  const query = rankedZoneQuery(zone);
  const { score, overdue, analysis_changes, authority_answers, not_reported, environments } = (
    await client.call('GetPostureSummary', { query }, { signal })
  ).data;
  const parts = score.parts.map(
    ({ points, most, because }) =>
      `  ${points === null ? '     -    ' : `${String(points).padStart(4)} of ${String(most).padEnd(2)}`}  ${because}\n`,
  );
  const title = score.value === null ? 'Score unknown' : `Score ${score.value} of 100`;
  const unsaid = environments.flatMap((each) => notSaidSummary(each.name, each.not_said) ?? []);
  const notes = [
    ...changeNotes(analysis_changes),
    ...authority_answers.map(({ text }) => `${printable(text)}.`),
    ...not_reported.map(({ text }) => printable(text)),
    ...unsaid.map((sentence) => `${printable(sentence)}. The Data page lists the fields.`),
  ];
  const late = overdueText(overdue);
  return `${out.style('bold', title)}\n${parts.join('')}${late}${notes.map((note) => `  Note: ${note}\n`).join('')}\n`;
}

/** "  Overdue: 2 critical, 5 high findings", empty without one. */
function overdueText(overdue: Readonly<Record<string, number>>): string {
  const some = SEVERITIES.toReversed().filter((severity) => (overdue[severity] ?? 0) > 0);
  if (some.length === 0) return '';
  const all = some.reduce((sum, severity) => sum + (overdue[severity] ?? 0), 0);
  const counts = some.map((severity) => `${formatCount(overdue[severity] ?? 0)} ${severity}`);
  return `  Overdue: ${counts.join(', ')} ${all === 1 ? 'finding' : 'findings'}\n`;
}

/** Maximum number of bars: longer rows are not easier to read. */
const MAX_BARS = 60;

export function formatPosture(screen: Screen, { environment, measures }: Posture): string {
  const shown = measures.filter(({ days }) => days.length > 0);
  const name = screen.style('bold', shownName(environment.name));
  if (shown.length === 0) return `${name}\n  no analysis in this period\n`;
  const titleWidth = Math.max(...shown.map(({ title }) => title.length));
  const latest = shown.map(({ days, unit }) => formatMeasure(days.at(-1)?.value ?? 0, unit));
  const valueWidth = Math.max(...latest.map((text) => text.length));
  const room = Math.max(10, Math.min(MAX_BARS, screen.width - titleWidth - valueWidth - 24));
  const lines = shown.map(({ title, unit, days }, index) => {
    const values = days.map(({ value }) => value);
    const change =
      values.length < 2 ? '' : ` ${changeOf(values[0] as number, values.at(-1) as number, unit)}`;
    const now = padTo(latest[index] as string, valueWidth, 'right');
    return `  ${padTo(title, titleWidth)}  ${now}  ${screen.style('cyan', sparkLine(screen, values, room))}${change}\n`;
  });
  return `${name}\n${lines.join('')}`;
}

function changeOf(first: number, last: number, unit: string): string {
  if (last === first) return 'unchanged';
  return `${last > first ? '+' : '-'}${formatMeasure(Math.abs(last - first), unit)}`;
}
