/** `clew findings assign`: who works on findings. */
import { MAX_NAMED_FINDINGS } from '@clew/api';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { chosenOwner, type FindingFilter, findingQuery } from '../findings/readFindings.ts';
import { plural, printable } from '../terminal/text.ts';

export interface AssignOptions extends ConnectionOptions, FindingFilter {
  readonly to?: string;
  readonly clear?: boolean;
  readonly all?: boolean;
}

const MAX_ID = 2 ** 31 - 1;

/** @param texts numbers of findings */
export async function assignFindings(
  context: Context,
  texts: readonly string[],
  options: AssignOptions,
): Promise<void> {
  const { err, signal } = context;
  const { to, clear = false, all = false } = options;
  if ((to === undefined) !== clear) throw new CommandError('give --to or --clear', EXIT.usage);
  if ((texts.length === 0) !== all)
    throw new CommandError('give numbers of findings, or --all with filters, and not both', EXIT.usage);
  const findings = texts.map(numberOf);
  const client = await connect(context, options);
  const owner = to === undefined ? null : await chosenOwner(client, to, signal);
  if (owner === 'none')
    throw new CommandError('none is not a user; --clear leaves findings without an owner');
  const { sort_by: _, ...query } = await findingQuery(client, options, signal);
  const asked = { query, body: all ? { owner, all_matching: true } : { owner, findings } };
  if (!all && Object.values(query).some((value) => value !== undefined))
    throw new CommandError('filters choose findings with --all only', EXIT.usage);
  const { data } = await client.call('AssignFindings', asked, { signal });
  const count = plural(data.findings, 'finding');
  err.write(
    data.owner === null
      ? `${count} without an owner; ${data.changed} had one before.\n`
      : `${count} assigned to ${printable(data.owner.name)}; ${data.changed} had another or none before.\n`,
  );
}

function numberOf(text: string, _at: number, all: readonly string[]): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id >= 1 && id <= MAX_ID)) throw new CommandError(`${text} is not a number of a finding`, EXIT.usage);
  if (all.length > MAX_NAMED_FINDINGS)
    throw new CommandError(`at most ${MAX_NAMED_FINDINGS} numbers; --all takes all that match`, EXIT.usage);
  return id;
}
