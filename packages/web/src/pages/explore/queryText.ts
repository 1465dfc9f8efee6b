/** What the text of a query says by itself: its parameters, and where a fault is that the service found. */

/** Texts, names in backticks and comments name no parameter. */
const TOKENS =
  /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|`[^`]*`?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$([A-Za-z_]\w*)/g;

/** @returns names in the order in which they come up, each once */
export function parametersIn(query: string): string[] {
  return [...new Set([...query.matchAll(TOKENS)].flatMap(([, name]) => name ?? []))];
}

/** What was typed as a value: JSON where it is JSON, otherwise a text. */
export function parameterValue(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}

/** @returns the values of the parameters that the query has, as far as something was typed */
export function parameterValues(
  query: string,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const names = parametersIn(query).filter((name) => typed[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, parameterValue(typed[name]!)]));
}

/** @param text of an address, which anyone may have written @returns what was typed, by name */
export function typedParameters(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(text ?? '');
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return {};
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** @param message of the service: `line 2:7 ...`, lines from 1, columns from 0 @returns the place in the query, if it says one */
export function faultOffset(query: string, message: string): number | undefined {
  const place = /^line (\d+):(\d+) /i.exec(message);
  if (place === null) return undefined;
  const lines = query.split('\n');
  const line = Number(place[1]) - 1;
  if (line < 0 || line >= lines.length) return undefined;
  const before = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  return before + Math.min(Number(place[2]), lines[line]!.length);
}
