/** The environment of a command; tests replace it. */

import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { StartOptions } from '@clew/service';
import { type AskLine, withQuestions } from './askLine.ts';
import { openScreen, type Screen } from './terminal/screen.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Context {
  readonly env: Environment;
  /** Results, which may be piped. */
  readonly out: Screen;
  /** Progress, notes and errors. */
  readonly err: Screen;
  /** Base directory of the user's relative paths. */
  readonly directory: string;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Prompts for a secret without showing it; reads one line without a terminal. */
  readonly askSecret: (question: string) => Promise<string>;
  /** Whether new secrets are typed, and therefore asked for twice; piped ones have no typing errors. */
  readonly repeatsSecrets?: boolean;
  /** Asks questions one after the other. */
  readonly withQuestions: <Result>(use: (ask: AskLine) => Promise<Result>) => Promise<Result>;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** The user of `--as`, and what ends the views as this user. */
  readonly asUser?: { name?: string; readonly ends: (() => Promise<void>)[] };
  /** Clock for sign-in, for tests. */
  readonly clock?: StartOptions['clock'];
}

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** npm runs scripts in the root of the repository, and stores the user's directory in INIT_CWD. */
export function userDirectory(env: Environment, workingDirectory: string): string {
  const startedFrom = env.INIT_CWD;
  return startedFrom !== undefined && workingDirectory === REPOSITORY ? startedFrom : workingDirectory;
}

export function systemContext(signal: AbortSignal, askSecret: Context['askSecret']): Context {
  const { env } = process;
  return {
    env,
    out: openScreen(process.stdout, env),
    err: openScreen(process.stderr, env),
    directory: userDirectory(env, process.cwd()),
    signal,
    askSecret,
    repeatsSecrets: process.stdin.isTTY === true,
    withQuestions,
    readInput: () => text(process.stdin),
  };
}
