/** A process during and after an upgrade of its database by a newer version: it reads, and leaves all writing to that version. */
import type { DatabaseLog, TableState } from '@clew/store';
import type { BackgroundWork } from './backgroundWork.ts';

/** Why requests must not write, for clients. */
export const UPGRADE_REASONS: Readonly<Record<TableState, string | undefined>> = {
  current: undefined,
  changing: 'a newer version is upgrading the database; reading continues',
  newer:
    'a newer version has upgraded the database; this process only reads until it is restarted with that version',
};

const MESSAGES: Readonly<Record<TableState, string>> = {
  current: 'the upgrade of the database ended without a change: this process writes and works again',
  changing: 'a newer version is upgrading the database: this process pauses its work, and answers only reads',
  newer:
    'a newer version has upgraded the database: this process answers only reads; restart it with that version',
};

export function followUpgrade(
  state: TableState,
  background: Pick<BackgroundWork, 'pause' | 'resume'>,
  log: DatabaseLog,
): void {
  log.warn({ state }, MESSAGES[state]);
  const done = state === 'current' ? background.resume() : background.pause();
  done.catch((error) => log.error({ err: error }, 'the background work could not be paused or resumed'));
}
