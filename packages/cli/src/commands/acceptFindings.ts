/** `clew findings accept` and `clew findings reopen`: acceptances of risks, and their end. */

import type { BulkAcceptanceBody, BulkAcceptanceRecord, ConstraintRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { chosenFindings, findingNumbers } from '../findings/chosenFindings.ts';
import type { FindingFilter } from '../findings/readFindings.ts';
import { uploadAttachment } from '../uploadAttachment.ts';
import { chosenTemplate } from './acceptanceTemplates.ts';

interface ChangeOptions extends ConnectionOptions, FindingFilter {
  readonly all?: boolean;
}

export interface AcceptOptions extends ChangeOptions {
  readonly reason?: string;
  /** A date; the acceptance ends with it. */
  readonly until?: string;
  readonly days?: number;
  /** False for an acceptance without an end. */
  readonly end?: boolean;
  readonly template?: string;
  readonly file?: readonly string[];
  readonly leaveOutOfPlan?: boolean;
}

type Terms = Omit<BulkAcceptanceBody, 'findings' | 'all_matching' | 'expected' | 'continues'>;

const DAY_MS = 86_400_000;

export async function acceptFindings(
  context: Context,
  texts: readonly string[],
  options: AcceptOptions,
): Promise<void> {
  const { all = false, until, days, end = true } = options;
  const ends = [until !== undefined, days !== undefined, !end].filter(Boolean).length;
  if (ends > 1) throw new CommandError('give only one of --until, --days and --no-end', EXIT.usage);
  const numbers = findingNumbers(texts, all);
  const client = await connect(context, options);
  const terms = await acceptanceTerms(context, client, options);
  await change(context, client, numbers, options, terms);
}

export async function reopenFindings(
  context: Context,
  texts: readonly string[],
  options: ChangeOptions,
): Promise<void> {
  const numbers = findingNumbers(texts, options.all ?? false);
  await change(context, await connect(context, options), numbers, options, { accepted: false });
}

/** The template gives the reason and the end that the options do not give. */
async function acceptanceTerms(
  context: Context,
  client: ClewClient,
  { reason, until, days, end = true, template: name, file = [], leaveOutOfPlan = false }: AcceptOptions,
): Promise<Terms> {
  const template = name === undefined ? undefined : await chosenTemplate(client, name, context.signal);
  const why = reason ?? template?.reason;
  if (why === undefined) throw new CommandError('give --reason, or --template with its reason', EXIT.usage);
  const lasting = days ?? (end && until === undefined ? template?.days : undefined);
  const last =
    until ?? (lasting ? new Date(Date.now() + lasting * DAY_MS).toISOString().slice(0, 10) : undefined);
  if (last === undefined && end) throw new CommandError('give --until, --days or --no-end', EXIT.usage);
  const attachments: number[] = [];
  for (const path of file) attachments.push(await uploadAttachment(context, client, path));
  return {
    accepted: true,
    reason: why,
    ...(last !== undefined && { accept_until: `${last}T23:59:59Z` }),
    ...(template && { template: template.id }),
    ...(attachments.length > 0 && { attachments }),
    ...(leaveOutOfPlan && { leave_out_of_plan: true }),
  };
}

/** Repeats the request while its time is not enough for all. */
async function change(
  { err, signal }: Context,
  client: ClewClient,
  numbers: readonly number[],
  filter: FindingFilter,
  terms: Terms,
): Promise<void> {
  const { query, chosen } = await chosenFindings(client, numbers, filter, signal);
  const constraints: ConstraintRecord[] = [];
  let changed = 0;
  let continues: number | undefined;
  for (;;) {
    const body = { ...terms, ...chosen, ...(continues !== undefined && { continues }) };
    const { data, plan_constraints = [] } = await client.call('AcceptFindings', { query, body }, { signal });
    constraints.push(...plan_constraints);
    changed += data.changed;
    continues = data.bulk_change_id ?? continues;
    if (data.remaining > 0) continue;
    err.write(changeText({ ...data, changed, bulk_change_id: continues ?? null }, terms, constraints.length));
    return;
  }
}

/** Says what a request changed. @param constraints number of constraints of the plan that came with it */
export function changeText(
  { findings, changed, acceptance_request_id: request, bulk_change_id: id }: BulkAcceptanceRecord,
  { accepted, accept_until, leave_out_of_plan }: Terms,
  constraints: number,
): string {
  const count = counted(findings, 'finding');
  if (request !== undefined)
    return `Acceptance ${request} of ${count} waits for a second approver: the findings stay open until then. "clew acceptances" shows it.\n`;
  const end = accept_until ? ` until ${accept_until.slice(0, 10)}` : ' without an end';
  const same = findings - changed;
  const others = same === 0 ? '' : `; ${same} ${same === 1 ? 'was' : 'were'} so before, or closed`;
  const lines = [
    accepted
      ? `${counted(changed, 'finding')} accepted${end}${others}.`
      : `${counted(changed, 'finding')} reopened${others}.`,
  ];
  if (leave_out_of_plan)
    lines.push(
      constraints === 0
        ? 'No change was left out of the plan: no card closes them, or their changes are left out already.'
        : `The plan leaves out their changes as long: ${counted(constraints, 'constraint')} added.`,
    );
  if (id !== null) lines.push(`Within a day, "clew findings undo ${id}" undoes this change.`);
  return `${lines.join('\n')}\n`;
}
