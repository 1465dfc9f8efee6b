/** `clew acceptances`: acceptances that wait for a second approver. */
import type { AcceptanceDecision } from '@clew/api';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { plural, printable, shownName, writeJson } from '../terminal/text.ts';

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
  { title: 'REASON' },
] as const;

export async function acceptances(context: Context, options: AcceptancesOptions): Promise<void> {
  const { out, err, signal } = context;
  const query = options.all ? {} : { state: 'eq:waiting' };
  const client = await connect(context, options);
  const { data } = await client.call('ListAcceptanceRequests', { query }, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No acceptance waits for a second approver.\n');
  const rows = data.map((one) => [
    ...[one.id, one.state, one.finding_count, one.title, one.requested_by],
    one.accept_until === null ? 'no end' : one.accept_until.slice(0, 10),
    one.expires_at.slice(0, 10),
    one.reason,
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

export interface DecideOptions extends ConnectionOptions {
  readonly note?: string;
}

const DONE: Readonly<Record<AcceptanceDecision['decision'], string>> = {
  ...{ approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' },
};

export async function decideAcceptance(
  context: Context,
  id: number,
  decision: AcceptanceDecision['decision'],
  options: DecideOptions,
): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const params = { request_id: id };
  let changed = 0;
  for (let remaining = 1; remaining > 0; ) {
    const body = { decision, note: options.note };
    const { data } = await client.call('DecideAcceptanceRequest', { params, body }, { signal });
    changed += data.changed;
    remaining = data.remaining;
    if (remaining === 0) {
      const { requested_by, title } = data.request;
      const accepted = decision === 'approve' ? `: ${plural(changed, 'finding')} accepted` : '';
      err.write(
        `The acceptance of ${shownName(requested_by)} (${printable(title)}) is ${DONE[decision]}${accepted}.\n`,
      );
    }
  }
}
