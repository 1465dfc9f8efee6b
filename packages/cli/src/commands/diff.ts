/** `clew diff`: changes since a time, and the ones that affected the exposure. */

import type { DifferenceRecord } from '@clew/api';
import { type PhraseOf, phrasesOf } from '@clew/connector';
import {
  counted,
  formatShare,
  minuteText,
  phrasesText,
  principalsText,
  readTime,
  TIME_FORMS,
} from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { isNotAnalyzed, NOT_ANALYZED } from '../findings/notAnalyzed.ts';
import { zoneQuery } from '../findings/readFindings.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, printable, shownName, writeJson } from '../terminal/text.ts';

export const DIFF_CAUSES = ['data', 'rules', 'zones', 'answers', 'acceptance'] as const;

export interface DiffOptions extends ConnectionOptions {
  readonly since: string;
  readonly until?: string;
  readonly zone?: string;
  readonly by?: (typeof DIFF_CAUSES)[number];
  readonly limit: number;
  readonly json?: boolean;
}

export async function diff(context: Context, options: DiffOptions): Promise<void> {
  const { out, err, signal } = context;
  const now = new Date();
  const since = readSince(options.since, now);
  const until = options.until === undefined ? undefined : readSince(options.until, now);
  const client = await connect(context, options);
  const query = {
    since,
    ...(until !== undefined && { until }),
    limit: options.limit,
    ...(options.by && { by: options.by }),
    ...(await zoneQuery(client, options, signal)),
  };
  const { data } = await client.call('GetDifference', { query }, { signal, wait: WAIT_SECONDS });
  if (options.json) return writeJson(out, data);
  // "Unchanged" would suggest that analyses had been compared.
  if (data.from.generation === data.to.generation) {
    if (await isNotAnalyzed(client, signal)) throw new CommandError(NOT_ANALYZED);
    const why = data.reaches_back
      ? `There is no analysis since ${minuteText(since)}`
      : 'There is no earlier analysis to compare with';
    err.write(`${why}; the latest is from ${minuteText(data.to.published_at)}.\n`);
    return;
  }
  if (!data.reaches_back)
    err.write(
      `There is no analysis from ${minuteText(since)} or earlier: this compares with the oldest one.\n`,
    );
  if (options.by !== undefined) out.write(causeText(out, data, options.by));
  else out.write(diffText(out, data, options.limit, await phrasesOf(client, kindsOf(data), signal)));
}

/** @param text `7d`, `12h`, `2w`, or a time @throws CommandError */
export function readSince(text: string, now: Date): string {
  const time = readTime(text, now);
  if (time === undefined) throw new CommandError(`"${text}" is not a time: use ${TIME_FORMS}`, EXIT.usage);
  return time;
}

/** Kinds of relationships in a difference. */
export function kindsOf({ relations, moved_by }: Pick<DifferenceRecord, 'relations' | 'moved_by'>): string[] {
  const named = [...relations.came, ...relations.went, ...moved_by.flatMap(({ because }) => because)];
  return [...named.map(({ kind }) => kind), ...moved_by.flatMap(({ kinds }) => kinds)];
}

/** @param limit maximum entries per list */
export function diffText(screen: Screen, data: DifferenceRecord, limit: number, phraseOf: PhraseOf): string {
  const { from, to, objects, relations, settings, findings, exposure, moved_by } = data;
  const heading = (text: string): string => `\n${screen.style('bold', text)}\n\n`;
  const share = (value: number | null): string => (value === null ? 'unknown' : formatShare(value));
  const parts = [
    `${minuteText(from.published_at)} -> ${minuteText(to.published_at)}\n`,
    exposure
      .map(
        ({ environment_name, before, after }) =>
          `  ${shownName(environment_name)}  exposed ${share(before)} -> ${share(after)}\n`,
      )
      .join(''),
    `  objects        ${counts(objects)}${objects.changed_count > 0 ? `, ${formatCount(objects.changed_count)} changed` : ''}\n`,
    `  relationships  ${counts(relations)}\n`,
    `  settings       ${settings.changed_count === 0 ? 'unchanged' : `${formatCount(settings.changed_count)} changed`}\n`,
    `  findings       ${counts(findings)}\n`,
    causesNote(findings),
  ];
  if (moved_by.length > 0) {
    parts.push(heading('Changes that affected exposure'));
    parts.push(...moved_by.map((mover) => moverText(mover, phraseOf)));
  }
  for (const { environment_name, reason } of data.not_shown)
    parts.push(`  ${shownName(environment_name)}  ${printable(reason)}\n`);
  const rest = [
    {
      count: data.came_together ?? 0,
      because: 'can reach the zone only through the combination of all new items',
    },
    {
      count: data.went_together ?? 0,
      because: 'could reach the zone again with the combination of all removed items',
    },
  ].filter(({ count }) => count > 0);
  if (rest.length > 0) parts.push('\n');
  for (const { count, because } of rest) parts.push(`  ${principalsText(count)} ${because}\n`);
  if (settings.changed.length > 0) {
    const value = (given: unknown): string => printable(JSON.stringify(given)).slice(0, 100);
    parts.push(
      heading('Settings'),
      ...settings.changed.map(
        ({ name, property, before, after }) =>
          `  ${shownName(name)}  ${printable(property)}: ${value(before)} -> ${value(after)}\n`,
      ),
      restText(settings.changed_count - settings.changed.length),
    );
  }
  if (findings.types.length > 0) {
    const rows = findings.types
      .slice(0, limit)
      .map(({ came_count, went_count, title }) => [signed(came_count, '+'), signed(went_count, '-'), title]);
    parts.push(heading('Findings'), formatTable(screen, TABLE('FINDING'), rows));
    if (rows.length < findings.types.length)
      parts.push(`  and ${counted(findings.types.length - rows.length, 'other type')}\n`);
  }
  for (const [title, list, count] of [
    ['New relationships', relations.came, relations.came_count],
    ['Removed relationships', relations.went, relations.went_count],
  ] as const) {
    if (list.length > 0)
      parts.push(
        heading(title),
        ...list.map((each) => `  ${relationText(each, phraseOf)}\n`),
        restText(count - list.length),
      );
  }
  for (const [title, list, count] of [
    ['New objects', objects.came, objects.came_count],
    ['Removed objects', objects.went, objects.went_count],
  ] as const) {
    if (list.length > 0)
      parts.push(
        heading(title),
        ...list.map(({ kind, name }) => `  ${shownName(name)} (${kind})\n`),
        restText(count - list.length),
      );
  }
  return parts.join('');
}

/** Empty if the list is complete. */
const restText = (count: number): string =>
  count === 0 ? '' : `  and ${formatCount(count)} more: --limit shows more\n`;

const TABLE = (title: string) =>
  [{ title: 'NEW', align: 'right' }, { title: 'RESOLVED', align: 'right' }, { title }] as const;

const signed = (count: number, sign: string): string => (count === 0 ? '' : `${sign}${formatCount(count)}`);

const counts = ({ came_count, went_count }: { came_count: number; went_count: number }): string =>
  came_count + went_count === 0 ? 'unchanged' : `+${formatCount(came_count)} -${formatCount(went_count)}`;

type Relation = DifferenceRecord['relations']['came'][number];

const relationText = ({ source, kind, target, is_derived }: Relation, phraseOf: PhraseOf): string =>
  `${shownName(source.name)} -${printable(phraseOf(kind))}-> ${shownName(target.name)}${is_derived ? '  (derived)' : ''}`;

function moverText(
  { change, source, kinds, target, principal_count, because }: DifferenceRecord['moved_by'][number],
  phraseOf: PhraseOf,
): string {
  const phrases = printable(phrasesText(kinds, phraseOf));
  const relation = `${shownName(source.name)} -${phrases}-> ${shownName(target.name)}`;
  const effect =
    change === 'came'
      ? `new: ${principalsText(principal_count)} can reach the zone only through it`
      : `removed: ${principalsText(principal_count)} can no longer reach the zone`;
  return `  ${relation}\n    ${effect}\n${because.map((each) => `    because of ${relationText(each, phraseOf)}\n`).join('')}`;
}

const CAUSE_TITLES = {
  data: 'because the data changed',
  rules: 'because the rules changed, perhaps together with data or zones',
  zones: 'because zones were edited, perhaps together with data or rules',
  answers: 'because of answers about CAs, perhaps together with data, rules or zones',
  acceptance: 'by risk acceptance',
} as const;

/** Findings that started and ended for one reason, without relationships and objects, whose cause is unknown. */
export function causeText(screen: Screen, data: DifferenceRecord, by: keyof typeof CAUSE_TITLES): string {
  const { from, to, findings } = data;
  const { accepted_count, ended_count } = findings.causes.acceptance;
  const parts = [
    `${minuteText(from.published_at)} -> ${minuteText(to.published_at)}\n`,
    ...(by === 'rules'
      ? [`  rules ${from.rules_version || 'unknown'} -> ${to.rules_version || 'unknown'}\n`]
      : []),
    by === 'acceptance'
      ? `  findings    ${formatCount(accepted_count)} accepted, ${counted(ended_count, 'acceptance')} ended\n`
      : `  findings    ${counts(findings)} ${CAUSE_TITLES[by]}\n`,
    ...(by === 'answers' ? findings.because.map((text) => `  ${printable(text)}\n`) : []),
  ];
  const rows = findings.types.map(({ came_count, went_count, title }) => [
    ...[signed(came_count, '+'), signed(went_count, '-'), title],
  ]);
  if (rows.length > 0) parts.push('\n', formatTable(screen, TABLE('FINDING'), rows));
  return parts.join('');
}

/** Prevents findings from looking repaired if only rules or zones changed. */
function causesNote({ causes, because }: DifferenceRecord['findings']): string {
  const of = (cause: 'rules' | 'zones' | 'answers' | 'several', why: string): string =>
    causes[cause].came_count + causes[cause].went_count === 0
      ? ''
      : `                 of these ${counts(causes[cause])} ${why}\n`;
  return (
    of('rules', 'because the rules changed (an update, an extension, or a custom check), not the data') +
    of('zones', 'because zones were edited, not the data') +
    of('answers', 'because of answers about CAs, not the data') +
    of(
      'several',
      'when several of data, rules, zones and answers changed together: the exact cause is unknown',
    ) +
    because.map((text) => `                 ${printable(text)}\n`).join('')
  );
}
