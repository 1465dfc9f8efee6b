/** One of the two output streams, and its capabilities. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { harmless, styled } from './text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const CLEAR_LINE = '\r\u001b[K';
/** Moves to the upper left, and clears everything after it. */
const CLEAR_ALL = '\u001b[H\u001b[J';

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof STYLES;

export interface Screen {
  /** Text for users: made safe here again, whatever its source. */
  readonly write: (text: string) => void;
  /** Data for programs, unchanged; also made safe if it is written to a terminal. */
  readonly writeData: (text: string) => void;
  /** Overwrites the previous line. */
  readonly redraw: (line: string) => void;
  /** Clears an interactive terminal. */
  readonly clear: () => void;
  /** Resolves when the reader has received the text; absent if that does not matter. */
  readonly drained?: () => Promise<unknown>;
  /** Whether a user is watching, so that progress bars and spinners make sense. */
  readonly isInteractive: boolean;
  /** Columns; a large number if not interactive, so that nothing is cut. */
  readonly width: number;
  readonly hasUnicode: boolean;
  readonly style: (style: Style, text: string) => string;
}

interface TerminalStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Rules: no-color.org (`NO_COLOR` set and not empty), `TERM=dumb`, and no styles if not interactive. */
export function openScreen(stream: TerminalStream, env: Environment, platform = process.platform): Screen {
  const isTty = stream.isTTY === true;
  const isDumb = env.TERM === 'dumb';
  const hasColor = isTty && !isDumb && !env.NO_COLOR;
  const isInteractive = isTty && !isDumb && !env.CI;
  return {
    write: (text) => void stream.write(harmless(text)),
    writeData: (text) => void stream.write(isTty ? harmless(text.replaceAll('\r\n', '\n')) : text),
    redraw: (line) => void stream.write(CLEAR_LINE + harmless(line)),
    clear: () => void (isInteractive && stream.write(CLEAR_ALL)),
    drained: () => (stream.writableNeedDrain ? once(stream, 'drain') : Promise.resolve()),
    isInteractive,
    get width() {
      return isTty ? Math.max(20, stream.columns || 80) : Number.POSITIVE_INFINITY;
    },
    hasUnicode: platform === 'win32' || platform === 'darwin' || isUtf8(env),
    style: (style, text) => {
      if (!hasColor) return text;
      const [on, off] = STYLES[style];
      return styled(on, off, text);
    },
  };
}

/** The first variable that is set takes precedence (POSIX, environment variables, 8.2). */
function isUtf8(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale);
}
