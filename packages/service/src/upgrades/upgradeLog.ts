/** Logs before an upgrade begins how long it takes, and whether everything is analyzed again. */

import type { Config } from '@clew/common';
import { type DatabaseLog, type MigrateOptions, type UpgradeScope, upgradeScope } from '@clew/store';
import { hasOtherRules } from '@clew/worker';

/** Assumed for an order of magnitude: a step without rows, and the speed of steps that go through tables. */
const STEP_SECONDS = 0.02;
const BYTES_PER_SECOND = 20_000_000;

/** Options of `migrate` that log its scope and delays. */
export function upgradeLog(config: Pick<Config, 'rules'>, log: DatabaseLog): MigrateOptions {
  return sayUpgrade(config, (text) => log.warn({}, text));
}

/** @param say shows a sentence to the operator */
export function sayUpgrade({ rules }: Pick<Config, 'rules'>, say: (text: string) => void): MigrateOptions {
  return {
    onUpgrade: async (client, due) => {
      try {
        const scope = await upgradeScope(client, due);
        const { analysis } = scope;
        const isAnalyzedAgain = analysis !== undefined && (await hasOtherRules(analysis.recipe, rules));
        for (const sentence of upgradeSentences(scope, isAnalyzedAgain)) say(sentence);
      } catch (error) {
        say(`upgrading the database; its extent could not be determined: ${(error as Error).message}`);
      }
    },
    onDelay: say,
  };
}

/** @returns sentences about the steps of an upgrade, their duration, and the analysis after it */
export function upgradeSentences(scope: UpgradeScope, isAnalyzedAgain: boolean): readonly string[] {
  const { steps, bytes, databaseBytes, analysis } = scope;
  const seconds = steps * STEP_SECONDS + bytes / BYTES_PER_SECOND;
  const number = steps === 1 ? '1 step' : `${steps} steps`;
  return [
    `upgrading the database (${sizeOf(databaseBytes)}) by ${number}: ${durationOf(seconds)}. An interrupted upgrade continues at the next start. An older version cannot use the database afterward: to return to it, restore a backup`,
    analysis === undefined
      ? 'nothing was analyzed yet, so no analysis follows'
      : isAnalyzedAgain
        ? `everything is analyzed again after the upgrade, because the rules differ: ${durationOf(analysis.milliseconds / 1000)}, by the duration of the last analysis. Until then, answers show the last analysis`
        : 'nothing is analyzed again, because the rules are the same',
  ];
}

const MINUTE = 60;
const HOUR = 3600;

const about = (count: number, unit: string): string => `about ${count} ${unit}${count === 1 ? '' : 's'}`;

/** @returns an order of magnitude: the disk and the load of the machine decide the rest */
function durationOf(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < MINUTE) return 'less than a minute';
  if (seconds < 10 * MINUTE) return about(Math.ceil(seconds / MINUTE), 'minute');
  if (seconds < HOUR) return about(Math.ceil(seconds / (10 * MINUTE)) * 10, 'minute');
  return about(Math.ceil(seconds / HOUR), 'hour');
}

const MEGABYTE = 1e6;
const GIGABYTE = 1e9;

const sizeOf = (bytes: number): string =>
  bytes < GIGABYTE
    ? `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`
    : `${(bytes / GIGABYTE).toFixed(1)} GB`;
