/** Writes change kits as files: one folder per card of a plan, in order. Nothing is run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ChangeKitRecord, MAX_KIT_CHANGES, type PlanRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { plural } from '../terminal/text.ts';
import { WAIT_SECONDS } from './planPages.ts';

/** Allowed file names in a kit: a service of another version cannot write other files. */
const FILE = /^(?:(?:engines|rules)\/)?[A-Za-z\d][A-Za-z\d.-]{0,63}$/;

/** @throws CommandError if the folder of a kit exists, because it may contain backups */
export async function writeKits(
  { err, signal, directory }: Context,
  client: ClewClient,
  cards: PlanRecord['cards'],
  folder: string,
): Promise<void> {
  for (const [at, card] of cards.entries()) {
    const all = card.packages.flatMap(({ references }) => references);
    const place = join(resolve(directory, folder), `card-${String(at + 1).padStart(2, '0')}`);
    const body = { repairs: all.slice(0, MAX_KIT_CHANGES) };
    const { data } = await client.call('GetChangeKit', { body }, { signal, wait: WAIT_SECONDS });
    await writeKit(place, data);
    const scripts = data.changes.filter(({ script }) => script !== null).length;
    const left = all.length - body.repairs.length;
    const more = left === 0 ? '' : `; ${left} further changes of the card are not in it`;
    err.write(`${place}: ${plural(data.changes.length, 'change')}, ${plural(scripts, 'script')}${more}\n`);
  }
}

async function writeKit(folder: string, { files }: ChangeKitRecord): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${folder} exists, and may contain backups: choose another folder`, EXIT.usage);
    throw error;
  }
  for (const { name, text } of files) {
    if (!FILE.test(name))
      throw new CommandError(`the service returned an invalid file name: ${JSON.stringify(name)}`);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { flag: 'wx' });
  }
}

/** @returns the script of a change, or its steps as script comments */
export function scriptText({ script, why, steps }: ChangeKitRecord['changes'][number]): string {
  if (script !== null) return script;
  const lines = [`There is no script: ${why ?? ''}`, ...steps];
  return lines.map((line) => `# ${line.replace(/[^ -~]/g, '?')}\n`).join('');
}
