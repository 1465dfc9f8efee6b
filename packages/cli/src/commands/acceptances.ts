/** `clew acceptances`: acceptances that wait for a second approver. */

import type { AcceptanceDecision, AcceptanceRequestRecord, DecidedAcceptance } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, shownName, writeJson } from '../terminal/text.ts';

export interface AcceptancesOptions extends ConnectionOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'STATE' },
  { title: 'FINDINGS', align: 'right' },
  { title: 'FIRST' },
  { title: 'ASKED BY' },
  { title: 'UNTIL' },
  { title: 'EXPIRES' },
  { title: 'TEMPLATE' },
  { title: 'FILES' },
  { title: 'REASON' },
] as const;

export async function acceptances(context: Context, options: AcceptancesOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const data = await allOf(client, options.all ? {} : { state: 'eq:waiting' }, signal);
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No acceptance waits for a second approver.\n');
  const rows = data.map((one) => [
    ...[one.id, one.state, findingsText(one), one.title, one.requested_by],
    one.accept_until === null ? 'no end' : one.accept_until.slice(0, 10),
    one.expires_at.slice(0, 10),
    ...[one.template ?? '', one.attachments.map(({ id, name }) => `${id} ${name}`).join(', '), one.reason],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

/** Acceptances per request. */
const PAGE = 100;

/** The newest first. Each page continues at a number, so that decisions in the meantime hide no acceptance. */
async function allOf(
  client: ClewClient,
  filter: { readonly state?: string },
  signal: AbortSignal | undefined,
): Promise<readonly AcceptanceRequestRecord[]> {
  const found: AcceptanceRequestRecord[] = [];
  for (;;) {
    const last = found.at(-1);
    const query = { ...filter, limit: PAGE, ...(last !== undefined && { id: `lt:${last.id}` }) };
    const { data } = await client.call('ListAcceptanceRequests', { query }, { signal });
    found.push(...data);
    if (data.length < PAGE) return found;
  }
}

/** An approval that ended early accepted only some of them. */
const findingsText = ({ state, accepted_count, finding_count }: AcceptanceRequestRecord): string =>
  state === 'waiting' && accepted_count > 0
    ? `${accepted_count} of ${finding_count} accepted`
    : String(finding_count);

export interface DecideOptions extends ConnectionOptions {
  readonly note?: string;
}

export async function decideAcceptance(
  context: Context,
  id: number,
  decision: AcceptanceDecision['decision'],
  options: DecideOptions,
): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const params = { request_id: id };
  let continues: number | undefined;
  for (;;) {
    const body = { decision, note: options.note, continues };
    const { data } = await client.call('DecideAcceptanceRequest', { params, body }, { signal });
    continues = data.bulk_change_id ?? undefined;
    if (data.remaining > 0) continue;
    err.write(decidedText(data));
    return;
  }
}

/** Says what a decision changed. */
export function decidedText({ request, not_left_out }: DecidedAcceptance): string {
  const { requested_by, title, state } = request;
  const accepted = state === 'approved' ? acceptedText(request) : '';
  const left =
    not_left_out === undefined
      ? ''
      : `The changes that close them were not left out of the plan: ${printable(not_left_out)}.\n`;
  return `The acceptance of ${shownName(requested_by)} (${printable(title)}) is ${state}${accepted}.\n${left}`;
}

const acceptedText = ({ accepted_count, skipped_count }: AcceptanceRequestRecord): string => {
  const skipped =
    skipped_count === 0
      ? ''
      : `; ${counted(skipped_count, 'finding')} closed or accepted otherwise since then stay as they are`;
  return `: ${counted(accepted_count, 'finding')} accepted${skipped}`;
};
