/** `clew findings`: findings, most urgent first. */

import type { FindingGroup, UnifiedFindingRow } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted, formatShare } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { isNotAnalyzed, NOT_ANALYZED } from '../findings/notAnalyzed.ts';
import { notReadText } from '../findings/notRead.ts';
import { type FindingFilter, findingQuery } from '../findings/readFindings.ts';
import { SarifWriter } from '../findings/sarif.ts';
import type { Screen, Style } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, writeJson } from '../terminal/text.ts';
import { VERSION } from '../version.ts';

export interface FindingsOptions extends ConnectionOptions, FindingFilter {
  readonly limit: number;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly sarif?: boolean;
  readonly by?: 'cause' | 'type' | 'object' | 'repair';
}

/** States of findings: active, accepted, and archived with the reason. */
export const STATUSES = ['active', 'accepted', 'remediated', 'orphaned', 'deprecated'] as const;

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'SEVERITY' },
  { title: 'EXPOSED', align: 'right' },
  { title: 'IMPACT', align: 'right' },
  { title: 'FINDING' },
  { title: 'FROM' },
  { title: 'TO' },
  { title: 'ENVIRONMENT' },
] as const;

/** Only if there is a plan. */
const CLOSED_BY = { title: 'CLOSED BY' } as const;
const closedColumn = (rows: readonly UnifiedFindingRow[]) =>
  rows.some(({ closed_by, lowered_by, not_closed }) => closed_by ?? lowered_by ?? not_closed)
    ? [CLOSED_BY]
    : [];

/** Only if a finding has an owner. */
const OWNER = { title: 'OWNER' } as const;
const ownerColumn = (rows: readonly UnifiedFindingRow[]) =>
  rows.some(({ owner_name }) => Boolean(owner_name)) ? [OWNER] : [];

/** Only if a service level gives a finding a due day. */
const DUE = { title: 'DUE' } as const;
const dueColumn = (rows: readonly UnifiedFindingRow[]) =>
  rows.some(({ due }) => due !== undefined) ? [DUE] : [];
const shownDue = ({ due = '', overdue = false }: UnifiedFindingRow): string =>
  overdue ? `${due} overdue` : due;

export async function findings(context: Context, options: FindingsOptions): Promise<void> {
  const { out, err, signal } = context;
  const formats = (['json', 'csv', 'sarif'] as const).filter((format) => options[format] === true);
  const [format, another] = formats;
  if (another !== undefined)
    throw new CommandError(`--${format} and --${another} cannot be combined`, EXIT.usage);
  if (format !== undefined && format !== 'json' && options.by !== undefined)
    throw new CommandError(`--${format} lists single findings: omit --by`, EXIT.usage);
  const client = await connect(context, options);
  const query = { ...(await findingQuery(client, options, signal)), limit: options.limit };
  if (options.csv) {
    await writeCsv(context, client, query);
    return;
  }
  if (options.sarif) {
    await writeSarif(context, client, query);
    return;
  }
  if (options.by !== undefined) {
    await writeGroups(context, client, { ...query, by: options.by }, options.json === true);
    return;
  }
  const { count, data } = await client.call('ListAttackPathFindings', { query }, { signal });
  if (options.json) return writeJson(out, data);
  if (count === 0) err.write(await noneText(client, signal));
  out.write(formatFindings(out, data));
  err.write(await notReadText(client, signal));
  if (data.length < count) {
    err.write(`${formatCount(data.length)} of ${counted(count, 'finding')}; --limit shows more.\n`);
  }
}

const noneText = async (client: ClewClient, signal: AbortSignal): Promise<string> =>
  (await isNotAnalyzed(client, signal)) ? `No findings: ${NOT_ANALYZED}.\n` : 'No findings.\n';

export function formatFindings(screen: Screen, rows: readonly UnifiedFindingRow[]): string {
  const cells = rows.map((row) => [
    row.id,
    row.severity,
    row.finding_type === 'relationship' ? formatShare(row.exposure_percentage) : '',
    formatShare(row.impact_percentage),
    shownTitle(row),
    row.source_principal_name || row.source_principal_id,
    row.target_principal_name || row.target_principal_id,
    row.environment_name,
    ...ownerColumn(rows).map(() => row.owner_name ?? ''),
    ...dueColumn(rows).map(() => shownDue(row)),
    ...closedColumn(rows).map(() => shownRepair(row)),
  ]);
  return formatTable(
    screen,
    [...COLUMNS, ...ownerColumn(rows), ...dueColumn(rows), ...closedColumn(rows)],
    cells,
  );
}

/** The title, with the number of other findings of the same fact that it represents. */
const shownTitle = ({ title, part_count = 0 }: UnifiedFindingRow): string =>
  part_count === 0 ? title : `${title} (+${part_count})`;

/** Text for its own column: "card 3: then 33.0% are exposed", or "none: no change is known that closes it". */
const shownRepair = ({ closed_by = '', lowered_by = '', not_closed = '' }: UnifiedFindingRow): string =>
  closed_by.replace(/^closed by /, '').replace(' of the plan', '') ||
  lowered_by.replace(' of the plan', '') ||
  not_closed.replace(/^not closed by the plan/, 'none');

/** Groups of findings, with the most severe finding of each. */
async function writeGroups(
  { out, err, signal }: Context,
  client: ClewClient,
  { sort_by: _, limit, ...query }: Readonly<Record<string, unknown>>,
  isJson: boolean,
): Promise<void> {
  const { count, data } = await readGroups(client, query, Number(limit) || Number.POSITIVE_INFINITY, signal);
  if (isJson) return writeJson(out, data);
  if (count === 0) err.write(await noneText(client, signal));
  const closed = closedColumn(data.map(({ lead }) => lead));
  const cells = data.map(({ count: findings, lead, findings: types, repair }) => [
    findings,
    lead.severity,
    lead.finding_type === 'relationship' ? formatShare(lead.exposure_percentage) : '',
    formatShare(lead.impact_percentage),
    types.length === 1 ? lead.title : `${lead.title} (and ${counted(types.length - 1, 'other type')})`,
    lead.source_principal_name || lead.source_principal_id,
    lead.target_principal_name || lead.target_principal_id,
    lead.environment_name,
    ...closed.map(() => repair ?? shownRepair(lead)),
  ]);
  const columns = [{ title: 'FINDINGS', align: 'right' } as const, ...COLUMNS.slice(1), ...closed];
  out.write(formatTable(out, columns, cells));
  if (data.length < count)
    err.write(`${formatCount(data.length)} of ${counted(count, 'group')}; --limit shows more.\n`);
}

/** Page size of groups. */
const GROUPS_PAGE = 1000;

async function readGroups(
  client: ClewClient,
  query: Readonly<Record<string, unknown>>,
  most: number,
  signal: AbortSignal,
) {
  const found: FindingGroup[] = [];
  for (;;) {
    const limit = Math.min(GROUPS_PAGE, most - found.length);
    const page = { ...query, skip: found.length, limit } as never;
    const { count, data } = await client.call('ListAttackPathFindingGroups', { query: page }, { signal });
    found.push(...data);
    if (data.length < limit || found.length >= Math.min(most, count)) return { count, data: found };
  }
}

const STYLES: Readonly<Record<string, Style>> = { critical: 'red', high: 'red', moderate: 'yellow' };

export function styledSeverity(screen: Pick<Screen, 'style'>, severity: string): string {
  const style = STYLES[severity];
  return style === undefined ? severity : screen.style(style, severity);
}

/** Writes all rows unchanged, because the service has already made the cells safe. */
async function writeCsv(
  { out, signal }: Context,
  client: ClewClient,
  { limit: _, ...query }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((each) => each !== undefined)
      .map((each): [string, string] => [name, String(each)]),
  );
  const target = `/api/v2/attack-paths/findings?${new URLSearchParams([['Accept', 'text/csv'], ...parameters])}`;
  const text = await client.transport.send({ method: 'GET', target, signal }, (response) => response.text());
  out.writeData(text);
}

/** Page size of findings. */
const FINDINGS_PAGE = 1000;

/** All rows, page after page. Each is written once, even if findings that open or end during this shift the others. */
async function writeSarif(
  { out, signal }: Context,
  client: ClewClient,
  query: Readonly<Record<string, unknown>>,
): Promise<void> {
  const writer = new SarifWriter();
  const written = new Set<number>();
  out.writeData(writer.head());
  for (let skip = 0; ; skip += FINDINGS_PAGE) {
    const page = { ...query, skip, limit: FINDINGS_PAGE } as never;
    const { data } = await client.call('ListAttackPathFindings', { query: page }, { signal });
    for (const row of data) if (!written.has(row.id)) out.writeData(writer.result(row));
    for (const { id } of data) written.add(id);
    if (data.length < FINDINGS_PAGE) break;
  }
  out.writeData(writer.end(client.transport.url, VERSION));
}
