/**
 * `npm run check`: functions of the web interface that are too long to understand at once. Components and hooks are split into parts with
 * one purpose each.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = 'packages/web/src/**/*.{ts,tsx}';
const TEST = /\.test\.tsx?$/;
/** Maximum number of lines, including those with the name and the end of the function. */
const MAX_LINES = 120;

/** The formatter begins and ends functions of a file at the start of a line, and indents all else. */
const BEGIN = /^(?:export )?(?:default )?(?:async )?(?:function\*? (?<named>\w+)|const (?<assigned>\w+) = )/;
const END = /^[})\]]/;
/** Another declaration begins, so the previous one ended with its last indented line. */
const OTHER = /^(?:(?:export|const|let|function|async|interface|type|class|if|for)\b|\/[*/])/;
/** The end of such a line if the function continues. */
const GOES_ON = /(?:[{([]|=>)$/;

export interface LongFunction {
  readonly name: string;
  /** Number of its first line, starting at 1. */
  readonly line: number;
  readonly lines: number;
}

/** @returns the functions of a file with more lines than the limit; `text` is formatted */
export function longFunctionsIn(text: string, limit: number = MAX_LINES): readonly LongFunction[] {
  const found: LongFunction[] = [];
  let begun: Omit<LongFunction, 'lines'> | undefined;
  /** Number of the last line that is not empty. */
  let last = 0;
  const end = (at: number): void => {
    const lines = begun === undefined ? 0 : at + 1 - begun.line;
    if (begun !== undefined && lines > limit) found.push({ ...begun, lines });
    begun = undefined;
  };
  for (const [at, line] of text.split('\n').entries()) {
    if (OTHER.test(line)) end(last);
    if (line !== '') last = at + 1;
    const { named, assigned } = BEGIN.exec(line)?.groups ?? {};
    const name = named ?? assigned;
    if (name !== undefined) begun = { name, line: at + 1 };
    // Parameters on separate lines also end with such a line, and the body follows.
    if (END.test(line) && !GOES_ON.test(line)) end(at + 1);
  }
  end(last);
  return found;
}

export function longFunctionsBelow(root: string): readonly string[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !TEST.test(file))
    .sort()
    .flatMap((file) =>
      longFunctionsIn(readFileSync(join(root, file), 'utf8')).map(
        ({ name, line, lines }) =>
          `${file}:${line}: ${name} has ${lines} lines, at most ${MAX_LINES} are allowed: split it`,
      ),
    );
}

if (import.meta.main) {
  const long = longFunctionsBelow(resolve(import.meta.dirname, '..'));
  for (const one of long) console.log(one);
  process.exitCode = long.length === 0 ? 0 : 1;
}
