/**
 * `npm run check`: answers of handlers that are cast. A handler has the types of its contract, so that an undeclared answer does not
 * compile; a cast would hide it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Capabilities of the service: only these answer requests. */
const ANSWERING = 'packages/{common,server,identity,intake,explore,judgment,plans,worker}/src/**/*.ts';
const TEST = /\.test\.ts$/;

/** Answers that are generated as text, and parsed before they are sent. */
const PARSED = /^parseJson\(await joined\(\w+\)\) as \{ data: CypherResult \}$/;

export interface AnswerCast {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly answer: string;
}

/** @returns each `json: ...` of a text that is cast by `as`, completely or in part */
export function answerCastsIn(text: string): readonly AnswerCast[] {
  const code = withoutTexts(text);
  return [...code.matchAll(/\bjson: /g)].flatMap(({ index }) => {
    const start = index + 'json: '.length;
    const end = endOfValue(code, start);
    const answer = text.slice(start, end).trim();
    const isCast = /\bas (?!const\b)/.test(code.slice(start, end)) && !PARSED.test(answer);
    return isCast ? [{ line: text.slice(0, start).split('\n').length, answer }] : [];
  });
}

/** Replaces comments and texts by blanks of the same length. */
const withoutTexts = (text: string): string =>
  text.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g,
    (part) => part.replaceAll(/[^\n]/g, '_'),
  );

/** @returns the place of the comma, bracket or semicolon that ends a value */
function endOfValue(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const char = code[at] as string;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && depth-- === 0) return at;
    else if (depth === 0 && ',;'.includes(char)) return at;
  }
  return code.length;
}

export function answerCastsBelow(root: string): readonly string[] {
  return globSync(ANSWERING, { cwd: root })
    .filter((file) => !TEST.test(file))
    .sort()
    .flatMap((file) =>
      answerCastsIn(readFileSync(join(root, file), 'utf8')).map(
        ({ line, answer }) => `${file}:${line}: an answer is cast: ${answer}`,
      ),
    );
}

if (import.meta.main) {
  const casts = answerCastsBelow(resolve(import.meta.dirname, '..'));
  for (const cast of casts) console.log(cast);
  process.exitCode = casts.length === 0 ? 0 : 1;
}
