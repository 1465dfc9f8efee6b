/** Asks for a secret on the terminal without showing it, or takes the next line of piped input. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './failure.ts';

/** @throws CommandError if the input ends first */
export const askSecret = (question: string, signal: AbortSignal): Promise<string> =>
  process.stdin.isTTY === true ? askOnTerminal(question, signal) : nextLine(signal);

interface PipedLines {
  readonly reader: Interface;
  readonly lines: AsyncIterator<string>;
}

/** One reader for all questions, because piped input arrives before the questions. */
let piped: PipedLines | undefined;

async function nextLine(signal: AbortSignal): Promise<string> {
  if (piped === undefined) {
    const reader = createInterface({ input: process.stdin, terminal: false });
    piped = { reader, lines: reader[Symbol.asyncIterator]() };
  }
  piped.reader.resume();
  const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason));
  const { done, value } = await Promise.race([piped.lines.next(), aborted]);
  if (done === true) throw new CommandError('no password given');
  // A pipe that stays open would keep the process from ending.
  piped.reader.pause();
  return value;
}

function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  // Readline echoes to its output, which here discards everything.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      lines.removeAllListeners();
      lines.close();
      process.stderr.write('\n');
      settle();
    };
    lines.once('line', (line) => finish(() => resolve(line)));
    lines.once('close', () => finish(() => reject(new CommandError('no password given'))));
    // In raw mode Ctrl-C arrives as a key, not as a signal.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    signal.addEventListener('abort', () => finish(() => reject(signal.reason)), { once: true });
  });
}
