/** Asks questions one after the other, on the terminal or with piped input. */
import { createInterface } from 'node:readline';

/** @returns the trimmed answer; `undefined` at the end of the input */
export type AskLine = (question: string) => Promise<string | undefined>;

/** One reader for all questions, because piped input arrives before the questions. */
export async function withQuestions<Result>(use: (ask: AskLine) => Promise<Result>): Promise<Result> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: isTerminal });
  const answers = lines[Symbol.asyncIterator]();
  // In raw mode Ctrl-C arrives as a key, not as a signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await use(async (question) => {
      process.stderr.write(question);
      const { done, value } = await answers.next();
      return done === true ? undefined : value.trim();
    });
  } finally {
    lines.close();
  }
}
