/** Asks for a secret on the terminal without showing it. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './failure.ts';

/** @throws CommandError if the input ends first */
export function askSecret(question: string, signal: AbortSignal): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  // Readline echoes to its output, which here discards everything.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  if (isTerminal) process.stderr.write(question);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      lines.removeAllListeners();
      lines.close();
      if (isTerminal) process.stderr.write('\n');
      settle();
    };
    lines.once('line', (line) => finish(() => resolve(line)));
    lines.once('close', () => finish(() => reject(new CommandError('no password given'))));
    // In raw mode Ctrl-C arrives as a key, not as a signal.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    signal.addEventListener('abort', () => finish(() => reject(signal.reason)), { once: true });
  });
}
