/** Runs a command like a user, but in the process of the test. */

import { ADMIN_PASSWORD, type FinishedProcess } from '@clew/service/testing';
import type { Context } from '../src/context.ts';
import { runCommandLine } from '../src/program/program.ts';
import { testScreen } from './testScreen.ts';

export interface TestUser {
  readonly url: string;
  /** Directory of the session. */
  readonly home: string;
  /** Base of relative paths. */
  readonly directory: string;
  /** Answer to every prompt for a secret, or answers in turn; default: the administrator's password. */
  readonly secret?: string | readonly string[];
  /** Columns of the terminal; without them, the output is piped. */
  readonly columns?: number;
  /** Contents of standard input. */
  readonly input?: string;
  /** Environment variables in addition to `HOME` and `CLEW_URL`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Interrupts the command. */
  readonly signal?: AbortSignal;
}

export async function runCommand(user: TestUser, args: readonly string[]): Promise<FinishedProcess> {
  const { url, home, directory, secret = ADMIN_PASSWORD, columns, input = '', variables } = user;
  const { signal = new AbortController().signal } = user;
  const [out, err] = [testScreen({ isTty: columns !== undefined, columns }), testScreen()];
  const answers = typeof secret === 'string' ? undefined : [...secret];
  const context: Context = {
    env: { HOME: home, CLEW_URL: url, ...variables },
    ...{ out: out.screen, err: err.screen, directory },
    signal,
    askSecret: async (question) => {
      if (answers === undefined) return secret as string;
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`no answer to ${question}`);
      return answer;
    },
    repeatsSecrets: true,
    withQuestions: (use) => {
      const lines = input.split('\n');
      return use(async () => lines.shift());
    },
    readInput: async () => input,
  };
  const code = await runCommandLine(context, args);
  return { code, stdout: out.text(), stderr: err.text() };
}
