/** Finds the user whom a command names, by name or e-mail address. */
import type { User } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { CommandError, EXIT } from './failure.ts';
import { printable } from './terminal/text.ts';

/** @throws CommandError if not found */
export async function chosenUser(client: ClewClient, name: string, signal: AbortSignal): Promise<User> {
  const { users: all } = (await client.call('ListUsers', {}, { signal })).data;
  const lower = name.toLowerCase();
  const user =
    all.find(({ principal_name }) => principal_name.toLowerCase() === lower) ??
    all.find(({ email_address }) => email_address?.toLowerCase() === lower);
  if (user === undefined) throw new CommandError(`user ${printable(name)} not found`, EXIT.usage);
  return user;
}
