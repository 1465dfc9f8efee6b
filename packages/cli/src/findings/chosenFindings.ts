/** Findings that a command changes: named ones, or all that match filters. */
import { MAX_NAMED_FINDINGS } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { CommandError, EXIT } from '../failure.ts';
import { type FindingFilter, findingQuery } from './readFindings.ts';

const MAX_ID = 2 ** 31 - 1;

/** @throws CommandError for a text that is not the number of a finding, or for too many */
export function findingNumbers(texts: readonly string[], all: boolean): readonly number[] {
  if ((texts.length === 0) !== all)
    throw new CommandError('give either finding numbers, or --all with filters', EXIT.usage);
  if (texts.length > MAX_NAMED_FINDINGS)
    throw new CommandError(`at most ${MAX_NAMED_FINDINGS} numbers; use --all for all that match`, EXIT.usage);
  return texts.map((text) => {
    const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(id >= 1 && id <= MAX_ID)) throw new CommandError(`${text} is not a finding number`, EXIT.usage);
    return id;
  });
}

/** @param numbers empty for all findings that match the filters now: if others match later, nothing changes */
export async function chosenFindings(
  client: ClewClient,
  numbers: readonly number[],
  filter: FindingFilter,
  signal: AbortSignal,
) {
  const { sort_by: _, ...query } = await findingQuery(client, filter, signal);
  if (numbers.length > 0) {
    if (Object.values(query).some((value) => value !== undefined))
      throw new CommandError('filters need --all', EXIT.usage);
    return { query, chosen: { findings: [...numbers] } };
  }
  const { data } = await client.call('GetMatchingFindings', { query }, { signal });
  return { query, chosen: { all_matching: true, expected: data.state } };
}
