/**
 * The state of `clew collect-entra --state FILE` between two runs: the service that has the records, links to later changes of the tenant,
 * and ids. It is stored only after the records of the run were uploaded, so that no change is lost.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseTenantState, type TenantState } from '@clew/collect';
import type { Context } from '../context.ts';
import { exists, secretFile } from '../secretFile.ts';
import { printable } from '../terminal/text.ts';

/** Enough for the ids of half a million applications. */
const MAX_BYTES = 64 * 2 ** 20;

type StateContext = Pick<Context, 'directory' | 'err'>;

/** The state for one run. */
interface RunState {
  readonly state: TenantState;
  /** Whether everything is read; the state then only names removed objects. */
  readonly isFull: boolean;
}

interface StateOptions {
  /** Address of the service that receives the records. */
  readonly service: string;
  /** Age of the last full run after which everything is read again; 0 for never. */
  readonly fullMs: number;
}

/**
 * Checks that a state can be written later, too.
 *
 * @returns undefined without a usable state
 * @throws CommandError for a file that others can read or change, and an error of the system for a path that cannot be written
 */
export async function readTenantState(
  context: StateContext,
  path: string,
  { service, fullMs }: StateOptions,
): Promise<RunState | undefined> {
  await withDraft(context, path, async () => undefined);
  if (!(await exists(resolve(context.directory, path)))) return undefined;
  const say = (text: string): void => void context.err.write(`${printable(path)} ${text}\n`);
  const text = (await secretFile(context, path, MAX_BYTES)).toString('utf8');
  const state = parseTenantState(text);
  const writtenFor = state === undefined ? undefined : serviceOf(text);
  if (state === undefined || writtenFor === undefined) {
    say(
      'does not contain the state of an earlier run: everything is read, but objects that were removed since then stay',
    );
    return undefined;
  }
  if (writtenFor !== service) {
    say(`belongs to the service at ${printable(writtenFor)}: everything is read for ${service}`);
    return { state, isFull: true };
  }
  const age = Date.now() - state.fullAt;
  return { state, isFull: age < 0 || (fullMs > 0 && age >= fullMs) };
}

const serviceOf = (text: string): string | undefined => {
  const { service } = JSON.parse(text) as { readonly service?: unknown };
  return typeof service === 'string' ? service : undefined;
};

/** @param state undefined if the next run has no changes to ask for */
export async function writeTenantState(
  context: StateContext,
  path: string,
  { service }: Pick<StateOptions, 'service'>,
  state: TenantState | undefined,
): Promise<void> {
  const target = resolve(context.directory, path);
  if (state === undefined) {
    await rm(target, { force: true });
    context.err.write(`${printable(path)} was not written: the next run reads everything\n`);
    return;
  }
  // A run that is killed leaves the earlier state.
  await withDraft(context, path, async (file, draft) => {
    await file.writeFile(`${JSON.stringify({ service, ...state })}\n`);
    await file.sync();
    await rename(draft, target);
  });
  if (state.needsFull)
    context.err.write('A part of the tenant was not read: the next run reads everything\n');
}

/** Creates a file next to the state, which is removed unless the work renames it. */
async function withDraft(
  { directory }: Pick<Context, 'directory'>,
  path: string,
  work: (file: FileHandle, draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(dirname(resolve(directory, path)), `.clew-state-${randomUUID()}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await work(file, draft);
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
