/** Writes change kits as files: one folder per card of a plan, in order. Nothing is run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ChangeKitRecord, type DetectionRulesRecord, MAX_KIT_CHANGES, type PlanRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import {
  counted,
  MAX_PATH_STEPS,
  remainingText,
  simulatedCards,
  stepsOfPaths,
  watchedText,
} from '@clew/model';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
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
    err.write(`${place}: ${counted(data.changes.length, 'change')}, ${counted(scripts, 'script')}${more}\n`);
  }
}

/** Maximum number of paths in one answer of the service. */
const MAX_PATHS = 10;
/**
 * Writes detection rules for the paths that remain after all cards: what no card cuts can still be watched.
 * @param environments ids of the environments to which the plan is limited
 * @throws CommandError if the folder exists
 */
export async function writeRules(
  { err, signal, directory }: Context,
  client: ClewClient,
  { cards, card_count, asset_group_tag_id }: Pick<PlanRecord, 'cards' | 'card_count' | 'asset_group_tag_id'>,
  folder: string,
  environments?: readonly string[],
): Promise<void> {
  const { repairs, after } = simulatedCards(cards, card_count);
  const options = { signal, wait: WAIT_SECONDS };
  const asked = { repairs, asset_group_tag_id, limit: MAX_PATHS };
  const { paths: easiest, end } = (await client.call('GetRemainingPaths', { body: asked }, options)).data;
  const paths = easiest.filter(({ environment_id }) => environments?.includes(environment_id) ?? true);
  const of = remainingText(paths.length, after, easiest.length);
  const all = stepsOfPaths(paths);
  if (all.length === 0) {
    err.write(`Nothing to watch: ${of}.\n`);
    return;
  }
  const body = { steps: all.slice(0, MAX_PATH_STEPS) };
  const { data } = await client.call('GetDetectionRules', { body }, options);
  const place = join(resolve(directory, folder));
  await writeKit(place, data);
  const rules = data.steps.reduce((sum, step) => sum + step.rules.length, 0);
  err.write(`${place}: ${watchedText(rules, all.length, of)} ${end.text}\n`);
}

async function writeKit(folder: string, { files }: ChangeKitRecord | DetectionRulesRecord): Promise<void> {
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
export function scriptText({ title, script, why, steps }: ChangeKitRecord['changes'][number]): string {
  if (script !== null) return script;
  const lines = [title, `There is no script: ${why ?? ''}`, ...steps];
  return lines.map((line) => `# ${line.replace(/[^ -~]/g, '?')}\n`).join('');
}
