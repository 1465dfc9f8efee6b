/** Log lines of graphile-worker, in our own log. */
import { Logger, type LogLevel } from 'graphile-worker';
import type { DatabaseLog } from './database.ts';

const LEVELS: Readonly<Record<`${LogLevel}`, 'error' | 'warn' | 'debug'>> = {
  error: 'error',
  warning: 'warn',
  // What it does job by job, we tell in our own words.
  info: 'debug',
  debug: 'debug',
};

/** @param log where lines go; without it they go nowhere */
export function jobLogger(log?: DatabaseLog): Logger {
  return new Logger(() => (level, message) => log?.[LEVELS[level]]({ component: 'jobs' }, message));
}
