/** `clew reports`: reports that the service stores, and generates again on a schedule. */
import type { ReportContent, ReportRecord } from '@clew/api';
import { ApiError } from '@clew/client';
import { minuteText, shareOf } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { chosenEnvironments, zoneQuery } from '../findings/readFindings.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, jsonText, printable, shownName, writeJson } from '../terminal/text.ts';

export interface ReportsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function listReports(context: Context, options: ReportsOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListReports', {}, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No reports yet: clew reports create NAME creates one.\n');
  const rows = data.map(({ id, name, owner, schedule, masked, next_at, ended, issues }) => [
    ...[id, `${name}${masked ? ' (masked)' : ''}`, owner, schedule],
    ...[shownMinute(issues[0]?.made_at), ended ?? shownMinute(next_at)],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'NAME' },
  { title: 'OWNER' },
  { title: 'SCHEDULE' },
  { title: 'MADE' },
  { title: 'NEXT' },
] as const;

const shownMinute = (time: string | null | undefined): string => (time ? minuteText(time) : '');

type Schedule = ReportRecord['schedule'];

export interface CreateReportOptions extends ConnectionOptions {
  readonly for: ReportRecord['audience'];
  readonly environment?: string;
  readonly zone?: string;
  readonly days: number;
  readonly masked?: boolean;
  readonly schedule: Schedule;
  readonly json?: boolean;
}

export const createReport: ThingCommand<CreateReportOptions> = async (context, name, options) => {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { environment, days, masked = false, schedule } = options;
  const chosen = environment === undefined ? [] : await chosenEnvironments(client, environment, signal);
  const body = {
    ...{ name, audience: options.for, days, masked, schedule },
    ...(await zoneQuery(client, options, signal)),
    ...(chosen[0] !== undefined && { environment_id: chosen[0].id }),
  };
  const { data } = await client.call('CreateReport', { body }, { signal, wait: WAIT_SECONDS });
  if (options.json) return writeJson(out, data);
  const next = data.next_at === null ? '' : `, and the next run is on ${minuteText(data.next_at)}`;
  err.write(`Report ${data.id} is created${next}: clew reports show ${data.id} prints it.\n`);
};

const WAIT_SECONDS = 60;

export interface ShowReportOptions extends ReportsOptions {
  readonly issue?: number;
}

/** Prints the latest issue, or an earlier one. */
export const showReport: ThingCommand<ShowReportOptions, number> = async (context, id, options) => {
  const { out, signal } = context;
  const client = await connect(context, options);
  const { data: report } = await known(
    id,
    client.call('GetReport', { params: { report_id: id } }, { signal }),
  );
  const issue_id = options.issue ?? report.issues[0]?.id;
  if (issue_id === undefined) throw new CommandError('its content covers environments outside your access');
  const { data } = await known(
    id,
    client.call('GetReportIssue', { params: { report_id: id, issue_id } }, { signal }),
  );
  if (options.json) return writeJson(out, { ...report, issue: data });
  out.write(`${out.style('bold', printable(report.name))}, ${minuteText(data.made_at)}\n`);
  if (report.ended !== null) out.write(`Ended: ${printable(report.ended)}\n`);
  if (report.failure !== null)
    out.write(`Not updated since ${minuteText(report.failure.at)}: ${printable(report.failure.reason)}\n`);
  out.write(contentText(data.content));
};

function contentText({ repairs, environments, ...content }: ReportContent): string {
  const { exposed_count: exposed, principal_count: all, zone } = content;
  const line = (text: string): string => `  ${text}\n`;
  return [
    all === 0
      ? 'Exposure is unknown.\n'
      : `Exposure of ${zone}: ${shareOf(exposed, all)} (${formatCount(exposed)} of ${formatCount(all)} users and computers)\n`,
    ...environments.map(({ name, collected, exposure }) =>
      line(
        `${shownName(name)}  ${!collected ? 'not collected' : exposure === null ? 'no zone' : shareOf(Math.round(exposure * 1000), 1000)}`,
      ),
    ),
    ...(repairs === null
      ? ['The plan was not complete yet.\n']
      : repairs.length > 0
        ? ['First repairs:\n']
        : []),
    ...(repairs ?? []).map(
      (
        {
          titles,
          reasons = [],
          questions = [],
          exposed_before: before,
          exposed_after: after,
          principal_count: of,
          principal_count_after: ofAfter = of,
        },
        at,
      ) => {
        const fall =
          before === null || after === null || of === 0
            ? ''
            : `  ${shareOf(before, of)} -> ${shareOf(after, ofAfter)}`;
        return [
          line(`${at + 1}. ${titles.map(printable).join('; ')}${fall}`),
          ...(reasons.length > 0 ? [line(`   Why: ${reasons.map(printable).join(' ')}`)] : []),
          ...(questions.length > 0
            ? [line(`   Questions to answer first: ${questions.map(printable).join(' ')}`)]
            : []),
        ].join('');
      },
    ),
  ].join('');
}

export const makeReport: ThingCommand<ReportsOptions, number> = async (context, id, options) => {
  const client = await connect(context, options);
  const params = { report_id: id };
  const request = client.call('MakeReport', { params }, { signal: context.signal, wait: WAIT_SECONDS });
  const { data } = await known(id, request);
  if (options.json) context.out.write(jsonText(data));
  else context.err.write(`Report ${id} will be generated again.\n`);
};

export async function scheduleReport(
  context: Context,
  id: number,
  schedule: Schedule,
  options: ConnectionOptions,
): Promise<void> {
  const client = await connect(context, options);
  const request = { params: { report_id: id }, body: { schedule } };
  const { data } = await known(id, client.call('UpdateReport', request, { signal: context.signal }));
  context.err.write(
    data.next_at === null
      ? `Report ${id} no longer has a schedule.\n`
      : `The next run of report ${id} is on ${minuteText(data.next_at)}.\n`,
  );
}

export const deleteReport: ThingCommand<ConnectionOptions, number> = async (context, id, options) => {
  const client = await connect(context, options);
  await known(id, client.call('DeleteReport', { params: { report_id: id } }, { signal: context.signal }));
  context.err.write(`Report ${id} is deleted.\n`);
};

/** @throws CommandError if the report or issue does not exist */
async function known<Answer>(id: number, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw new CommandError(`report ${id} not found`, EXIT.failed);
    throw error;
  }
}
