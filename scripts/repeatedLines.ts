/**
 * `npm run check`: pairs of files that share six or more equal lines. One function, table or type serves both places instead. The maximum
 * only shrinks: a change that removes a pair also lowers it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = '{packages,scripts,examples}/**/*.{ts,tsx,mjs,css,py}';
/** Folders that are not sources, and migrations: a published one never changes, so a later one repeats its statements. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|static)\/|^packages\/store\/src\/migrations\//;
const MIN_LINES = 6;
/** Pairs today. */
const MAX_PAIRS = 12;

/** Comments, and lines without a word, as `});`. */
const EMPTY = /^(?:\/\*|\*|\/\/|#)|^\W*$/;
const BEGINS_IMPORT = /^import\b|^export (?:type )?[{*].*\bfrom\b|^export (?:type )?\{$/;
const ENDS_IMPORT = /;$/;

interface Line {
  /** Number of the line, from 1. */
  readonly number: number;
  readonly text: string;
}

interface Place {
  readonly file: string;
  readonly lines: readonly Line[];
  /** Index of the first of the equal lines. */
  readonly at: number;
}

export interface Pair {
  /** Files with the numbers of the first and the last equal line. */
  readonly places: readonly [string, string];
  /** Length of the longest run of equal lines. */
  readonly lines: number;
}

/** @returns the lines of a file that count: without comments, imports, punctuation and indentation */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let isImport = false;
  for (const [at, line] of text.split('\n').entries()) {
    const folded = line.trim().replaceAll(/\s+/g, ' ');
    isImport ||= BEGINS_IMPORT.test(line);
    if (!isImport && !EMPTY.test(folded)) lines.push({ number: at + 1, text: folded });
    if (isImport && ENDS_IMPORT.test(folded)) isImport = false;
  }
  return lines;
}

/** @param texts by path @returns the pairs of files, the longest run first; a file can also repeat itself */
export function repeatedLinesIn(texts: ReadonlyMap<string, string>): readonly Pair[] {
  const places = new Map<string, Place[]>();
  for (const [file, text] of texts) {
    const lines = linesOf(text);
    for (let at = 0; at + MIN_LINES <= lines.length; at++) {
      const key = lines
        .slice(at, at + MIN_LINES)
        .map((line) => line.text)
        .join('\n');
      const same = places.get(key);
      if (same === undefined) places.set(key, [{ file, lines, at }]);
      else same.push({ file, lines, at });
    }
  }
  const longest = new Map<string, Pair>();
  for (const same of places.values())
    for (const [index, one] of same.entries())
      for (const other of same.slice(index + 1)) {
        const key = `${one.file}\n${other.file}`;
        const pair = pairAt(one, other);
        if (pair.lines > (longest.get(key)?.lines ?? 0)) longest.set(key, pair);
      }
  return [...longest.values()].sort((a, b) => b.lines - a.lines);
}

/** A run that overlaps its repetition, as in a table of equal rows, ends where the repetition begins. */
function pairAt(one: Place, other: Place): Pair {
  const limit = one.file === other.file ? other.at - one.at : Number.POSITIVE_INFINITY;
  let lines = 0;
  const isEqual = (): boolean =>
    one.lines[one.at + lines]?.text === other.lines[other.at + lines]?.text &&
    one.lines[one.at + lines] !== undefined;
  while (lines < limit && isEqual()) lines++;
  const named = ({ file, lines: all, at }: Place): string =>
    `${file}:${all[at]?.number}-${all[at + lines - 1]?.number}`;
  return { places: [named(one), named(other)], lines: lines < MIN_LINES ? 0 : lines };
}

export function repeatedLinesBelow(root: string): readonly Pair[] {
  const files = globSync(SOURCES, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  return repeatedLinesIn(
    new Map(
      files
        .map((file) => file.replaceAll('\\', '/'))
        .filter((file) => !LEFT_OUT.test(file))
        .sort()
        .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
    ),
  );
}

/** @returns sentences if there are more pairs than allowed, or fewer: then the maximum is lowered */
export function faultsOfRepeatedLines(pairs: readonly Pair[], maxPairs: number): readonly string[] {
  const count = `${pairs.length} pairs of files share ${MIN_LINES} equal lines`;
  if (pairs.length < maxPairs)
    return [`${count}: lower MAX_PAIRS in scripts/repeatedLines.ts from ${maxPairs} to ${pairs.length}`];
  if (pairs.length === maxPairs) return [];
  return [
    ...pairs.map(({ places, lines }) => `${places.join(' and ')} share ${lines} lines`),
    `${count}, at most ${maxPairs} are allowed: move what a new pair shares to one place`,
  ];
}

if (import.meta.main) {
  const faults = faultsOfRepeatedLines(repeatedLinesBelow(resolve(import.meta.dirname, '..')), MAX_PAIRS);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
