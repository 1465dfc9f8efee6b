/**
 * `npm run check`: words that this project writes otherwise, in code, comments, documentation, messages and interface texts.
 * Each use is printed with its file, line and the better word.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unplainProseIn } from './plainSentences.ts';
import { PLAIN_WORDS } from './plainWords.ts';
import { PLAN_CODE, PLAN_NAMES, PLAN_PHRASES, PLAN_SEARCH_WORDS } from './planWords.ts';
import { SPELLING } from './spelling.ts';
import { REWRITTEN, STANDARD_TERMS } from './standardTerms.ts';

/** Lines with names that others gave, or that this project gave before. */
const GIVEN_NAMES: readonly RegExp[] = [
  // A header of TheHive, and the setting that fills it.
  /x-organisation|settings\.organisation|organisation: Type|optional `organisation`/,
  // A message of the Model Context Protocol.
  /notifications\/cancelled/,
  // Rows of the change log with an old and a new name.
  /^\| `[\w-]+` \| `[\w-]+` \|$/,
  // Rows of CONTRIBUTING.md with words that are not used.
  /^\| started plan \|/,
  // Says what to write in place of these.
  /in(?:stead| place) of "(?:nobody|whoever)"|who" instead of "whoever"/,
];

/** Released migrations never change, this folder names what it looks for, and words of other languages are not those of this one. */
const LEFT_OUT =
  /node_modules|^packages\/store\/src\/migrations\/0|^scripts\/vocabulary\/|\.slow-data\/|^packages\/synthetic\/src\/dialects\/(french|german|spanish)\.ts/;

/** Files whose comments and texts have to be plain sentences (`plainSentences.ts`). */
const CODE = /\.(?:tsx?|mjs)$/;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  ...SPELLING.map(([british, american]) => [new RegExp(british.source, 'gi'), american] as const),
  ...PLAIN_WORDS,
];

/** Whether a pattern may find something in a line that it does not find in the text around it. */
const isOfLines = ({ source }: RegExp): boolean => /[\^$]/.test(source);

export interface Misuse {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly better: string;
}

/** @returns what a text says otherwise than this project does; `line` begins at 1 */
export function misusesIn(file: string, text: string): readonly Misuse[] {
  // Few texts have any of them, and a search through a whole text is quicker than one through each of its lines.
  const patterns = PLAN_CODE.test(file) ? [...PATTERNS, ...PLAN_NAMES] : PATTERNS;
  const present = patterns.filter(([unwanted]) => isOfLines(unwanted) || text.search(unwanted) >= 0);
  if (present.length === 0) return [];
  return text.split('\n').flatMap((line, at) => {
    if (GIVEN_NAMES.some((name) => name.test(line))) return [];
    return present.flatMap(([unwanted, better]) =>
      [...line.matchAll(unwanted)].map(([found]) => ({ file, line: at + 1, found, better })),
    );
  });
}

/** @returns words that comments of a file do not use, in addition to those of all files */
const wordsOfComments = (file: string) => [
  ...(REWRITTEN.test(file) ? STANDARD_TERMS : []),
  ...(PLAN_CODE.test(file) ? PLAN_SEARCH_WORDS : []),
];

/** @returns phrases of a page, which may span lines */
function planPhrasesIn(file: string, page: string): readonly Misuse[] {
  const text = page.replace(/.*/g, (line) => (GIVEN_NAMES.some((name) => name.test(line)) ? '' : line));
  return PLAN_PHRASES.flatMap(([unwanted, better]) =>
    [...text.matchAll(unwanted)].map(({ 0: found, index }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      found: found.replace(/\s+/g, ' '),
      better,
    })),
  );
}

export function misusesBelow(root: string): readonly Misuse[] {
  const patterns = [
    '{packages/*/{src,test,bench,bundling},scripts,examples}/**/*.{ts,tsx,mjs,css,html}',
    '{docs,examples,packages/*,.github}/**/*.md',
    '*.md',
  ];
  const files = globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' });
  return files
    .filter((file) => !LEFT_OUT.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [
        ...misusesIn(file, text),
        ...misusesIn(file, file).map((misuse) => ({ ...misuse, line: 0 })),
        ...(CODE.test(file)
          ? unplainProseIn(text, wordsOfComments(file)).map((prose) => ({ file, ...prose }))
          : planPhrasesIn(file, text)),
      ];
    });
}

if (import.meta.main) {
  const misuses = misusesBelow(resolve(import.meta.dirname, '../..'));
  for (const { file, line, found, better } of misuses)
    console.log(`${file}:${line}: "${found}": write "${better}"`);
  process.exitCode = misuses.length === 0 ? 0 : 1;
}
