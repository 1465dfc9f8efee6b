/** Analyzes the text of a query: its parameters, and the position and words of an error reported by the service. */
import { ApiError } from '@clew/client';

/** The same rule as in the service: a name may contain a currency sign. */
const NAME = String.raw`[\p{ID_Start}_\p{Pc}][\p{ID_Continue}\p{Sc}]*`;
/** Matches texts, names and comments before parameters, so that only a parameter outside them counts. */
const TOKENS = new RegExp(
  [
    String.raw`'(?:[^'\\]|\\[\s\S])*'?`,
    String.raw`"(?:[^"\\]|\\[\s\S])*"?`,
    '`[^`]*`?',
    String.raw`\/\/[^\n\r]*`,
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    NAME,
    String.raw`\$\s*(?:(?<name>${NAME}|\d+)|${'`'}(?<quoted>(?:[^${'`'}]|${'``'})*)${'`'})`,
  ].join('|'),
  'gu',
);

/** @returns unique names, in order of occurrence */
export function parametersIn(query: string): string[] {
  const names = [...query.matchAll(TOKENS)].flatMap(
    ({ groups }) => groups?.name ?? groups?.quoted?.replaceAll('``', '`') ?? [],
  );
  return [...new Set(names)];
}

/** Typed parameter values, by name. */
export type Typed = ReadonlyMap<string, string>;

/** @returns whether each parameter of the query has a value; the service refuses a query without one */
export const hasAllValues = (query: string, typed: Typed): boolean =>
  parametersIn(query).every((name) => typed.has(name));

/** Converts a typed value: JSON if it is valid JSON, otherwise a text. */
export function parameterValue(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}

/** @returns the typed values of the query's parameters */
export function parameterValues(query: string, typed: Typed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parametersIn(query).flatMap((name) => {
      const value = typed.get(name);
      return value === undefined ? [] : [[name, parameterValue(value)] as const];
    }),
  );
}

/** @returns the typed values of the query's parameters for an address; `undefined` without parameters */
export function typedText(query: string, typed: Typed): string | undefined {
  const names = parametersIn(query);
  return names.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, typed.get(name)])));
}

/** @param text untrusted text from an address @returns the typed values, by name */
export function typedParameters(text: string | undefined): Typed {
  try {
    const read: unknown = JSON.parse(text ?? '');
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return new Map();
    return new Map(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return new Map();
  }
}

/**
 * @param message message of the service: `line 2:7 ...`, lines from 1, columns from 0 @returns the position in the query, if the
 * message names one
 */
export function faultOffset(query: string, message: string): number | undefined {
  const place = /^line (\d+):(\d+) /i.exec(message);
  if (place === null) return undefined;
  const lines = query.split('\n');
  const line = Number(place[1]) - 1;
  if (line < 0 || line >= lines.length) return undefined;
  const before = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  return before + Math.min(Number(place[2]), lines[line]!.length);
}

/** Why the service refused a query, in words. */
export interface RefusedQuery {
  readonly text: string;
  readonly hint?: string;
}

/** @param message message of the service: `line 1:14 mismatched input 'RETURN' expecting ')'`, columns from 0 */
export function refusedWords(message: string): RefusedQuery {
  const [, line, column, what] = /^line (\d+):(\d+) (.*)$/is.exec(message) ?? [];
  if (line === undefined) return { text: message };
  const place = `Line ${line}, column ${Number(column) + 1}`;
  const [, found, expected] = /^mismatched input (.+?) expecting (.+)$/s.exec(what!) ?? [];
  if (found === undefined) return { text: `${place}: ${what}` };
  const isUnclosed = /^'[)\]}]'$/.test(expected!);
  return {
    text: `${place}: found ${found}, expected ${expected}`,
    ...(isUnclosed && { hint: `Close the bracket before this place with ${expected!.slice(1, -1)}` }),
  };
}

/** A refused query fails again until it is changed, unlike one that the service could not run. */
export const isRefusedQuery = ({ mode }: { readonly mode: string }, error: unknown): boolean =>
  mode === 'query' && error instanceof ApiError && error.status === 400;
