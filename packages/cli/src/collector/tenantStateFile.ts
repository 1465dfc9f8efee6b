/**
 * The state of `clew collect-entra --state FILE` between two runs: links to later changes of the tenant, and ids. It is stored only after the
 * records of the run were uploaded or written, so that no change is lost.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseTenantState, type TenantState } from '@clew/collect';
import type { Context } from '../context.ts';
import { exists, secretFile } from '../secretFile.ts';
import { printable } from '../terminal/text.ts';

/** Enough for the ids of half a million applications. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * @param fullMs age of the last full run after which everything is read again; 0 for always
 * @returns undefined without a usable state
 * @throws CommandError for a file that others can read or change
 */
export async function readTenantState(
  context: Pick<Context, 'directory' | 'err'>,
  path: string,
  fullMs: number,
): Promise<TenantState | undefined> {
  if (!(await exists(resolve(context.directory, path)))) return undefined;
  const state = parseTenantState((await secretFile(context, path, MAX_BYTES)).toString('utf8'));
  if (state === undefined) {
    context.err.write(
      `${printable(path)} does not contain the state of an earlier run: everything is read\n`,
    );
    return undefined;
  }
  const age = Date.now() - state.fullAt;
  return age >= 0 && age < fullMs ? state : undefined;
}

/** @param state undefined if the next run has to read everything */
export async function writeTenantState(
  { directory }: Pick<Context, 'directory'>,
  path: string,
  state: TenantState | undefined,
): Promise<void> {
  const target = resolve(directory, path);
  if (state === undefined) return rm(target, { force: true });
  // A run that is killed leaves the earlier state.
  const draft = join(dirname(target), `.clew-state-${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(state)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
