/** `clew findings assign`: assigns findings to users. */

import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { chosenFindings, findingNumbers } from '../findings/chosenFindings.ts';
import { chosenOwner, type FindingFilter } from '../findings/readFindings.ts';
import { jsonText, printable } from '../terminal/text.ts';

export interface AssignOptions extends ConnectionOptions, FindingFilter {
  readonly to?: string;
  readonly clear?: boolean;
  readonly all?: boolean;
}

/** @param texts ids of findings */
export async function assignFindings(
  context: Context,
  texts: readonly string[],
  options: AssignOptions,
): Promise<void> {
  const { err, signal } = context;
  const { to, clear = false, all = false } = options;
  if ((to === undefined) !== clear) throw new CommandError('give --to or --clear', EXIT.usage);
  const numbers = findingNumbers(texts, all);
  const client = await connect(context, options);
  const owner = to === undefined ? null : await chosenOwner(client, to, signal);
  if (owner === 'none')
    throw new CommandError('"none" is not a user; use --clear to leave findings without an owner');
  const { query, chosen } = await chosenFindings(client, numbers, options, signal);
  const { data } = await client.call('AssignFindings', { query, body: { owner, ...chosen } }, { signal });
  const count = counted(data.findings, 'finding');
  err.write(
    data.owner === null
      ? `${count} without an owner; ${data.changed} had one before.\n`
      : `${count} assigned to ${printable(data.owner.name)}; ${data.changed} had another or none before.\n`,
  );
  if (data.bulk_change_id !== null)
    err.write(`Within a day, "clew findings undo ${data.bulk_change_id}" undoes this change.\n`);
}

export interface UndoOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** `clew findings undo`: undoes a bulk change. @param id its number; default: the last one that is not undone */
export async function undoFindings(
  context: Context,
  id: number | undefined,
  options: UndoOptions,
): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data: changes } = await client.call('ListBulkChanges', {}, { signal });
  const change = changes.find((one) => (id === undefined ? one.undone_at === null : one.id === id));
  if (change === undefined)
    throw new CommandError(
      id === undefined
        ? 'no change of the last day can be undone'
        : `no change ${id} was made in the last day`,
    );
  const all = { id: change.id, restored: 0, kept: 0, constraints_removed: 0 };
  for (let remaining = 1; remaining > 0; ) {
    const params = { bulk_change_id: change.id };
    const { data } = await client.call('UndoBulkChange', { params }, { signal });
    all.restored += data.restored;
    all.kept += data.kept;
    all.constraints_removed += data.constraints_removed;
    remaining = data.remaining;
  }
  const removed = all.constraints_removed;
  const constraints = removed === 0 ? '' : ` It also removed ${counted(removed, 'constraint')} of the plan.`;
  const reasons =
    change.action === 'AcceptFindings'
      ? 'changed again, ended, or need a second approver'
      : 'changed again or ended';
  if (options.json) out.write(jsonText(all));
  else
    err.write(
      `Undid the change of ${printable(change.changed_by)}: ${counted(all.restored, 'finding')} restored; ${all.kept} not restored, because they ${reasons}.${constraints}\n`,
    );
}
