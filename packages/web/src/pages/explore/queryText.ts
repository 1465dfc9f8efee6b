/** Analyzes the text of a query: its parameters, and the place of an error that the service found. */

/** The rule of the service: a currency sign may be inside a name. */
const NAME = String.raw`[\p{ID_Start}_\p{Pc}][\p{ID_Continue}\p{Sc}]*`;
/** Texts, names and comments, and at last parameters: only one outside of the others counts. */
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

/** @returns names in the order in which they come up, each once */
export function parametersIn(query: string): string[] {
  const names = [...query.matchAll(TOKENS)].flatMap(
    ({ groups }) => groups?.name ?? groups?.quoted?.replaceAll('``', '`') ?? [],
  );
  return [...new Set(names)];
}

/** Typed values of parameters, by name. */
export type Typed = ReadonlyMap<string, string>;

/** @returns whether each parameter of the query has a value: without, the service answers with a fault */
export const hasAllValues = (query: string, typed: Typed): boolean =>
  parametersIn(query).every((name) => typed.has(name));

/** Converts a typed value: JSON where it is JSON, otherwise a text. */
export function parameterValue(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}

/** @returns the values of the parameters that the query has, as far as something was typed */
export function parameterValues(query: string, typed: Typed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parametersIn(query).flatMap((name) => {
      const value = typed.get(name);
      return value === undefined ? [] : [[name, parameterValue(value)] as const];
    }),
  );
}

/** @returns the typed values of the parameters of the query, for an address; nothing when it has none */
export function typedText(query: string, typed: Typed): string | undefined {
  const names = parametersIn(query);
  return names.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, typed.get(name)])));
}

/** @param text text of an address, which anyone may have written @returns the typed values, by name */
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

/** @param message message of the service: `line 2:7 ...`, lines from 1, columns from 0 @returns the place in the query, if it says one */
export function faultOffset(query: string, message: string): number | undefined {
  const place = /^line (\d+):(\d+) /i.exec(message);
  if (place === null) return undefined;
  const lines = query.split('\n');
  const line = Number(place[1]) - 1;
  if (line < 0 || line >= lines.length) return undefined;
  const before = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  return before + Math.min(Number(place[2]), lines[line]!.length);
}
