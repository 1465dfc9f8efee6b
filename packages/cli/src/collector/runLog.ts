/** The log of a collector: lines with their times, for the screen and the service. It never contains a secret. */
import type { Screen } from '../terminal/screen.ts';
import { printable } from '../terminal/text.ts';

export interface LogLine {
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}

/** Size of a line in a call. */
export const bytesOf = (line: LogLine): number => Buffer.byteLength(JSON.stringify(line));

/** Shorter secrets are not replaced, because this would make the log unreadable. */
const SHORTEST_SECRET = 4;

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);

/** Without a job, lines are not sent, and the oldest are discarded after being shown. */
const MAX_WAITING_LINES = 5_000;

/** Writes lines about one part of a run. */
export type LogWriter = Pick<RunLog, 'say'>;

export class RunLog {
  readonly #screen: Screen;
  readonly #secrets: readonly string[];
  readonly #lines: LogLine[] = [];

  /** @param secrets replaced wherever they occur */
  constructor(screen: Screen, secrets: readonly string[]) {
    this.#screen = screen;
    this.#secrets = secrets;
  }

  say(text: string): void {
    const line = { at: new Date().toISOString(), text: this.clean(text) };
    this.#lines.push(line);
    if (this.#lines.length > MAX_WAITING_LINES) this.#lines.shift();
    this.#screen.write(`${line.at} ${line.text}\n`);
  }

  /** @param subject precedes each line; '' for none */
  about(subject: string): LogWriter {
    return subject === '' ? this : { say: (text) => this.say(`${subject}: ${text}`) };
  }

  /** Removes pending lines, oldest first: at least one, and at most as many as fit. */
  take(limit = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY): readonly LogLine[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(limit, this.#lines.length); count += 1) {
      bytes += bytesOf(this.#lines[count]);
      if (count > 0 && bytes > maxBytes) break;
    }
    return this.#lines.splice(0, count);
  }

  /** Keeps lines that could not be sent for the next attempt. */
  putBack(lines: readonly LogLine[]): void {
    this.#lines.unshift(...lines);
  }

  clean(text: string): string {
    return printable(withoutSecrets(text, this.#secrets));
  }
}
