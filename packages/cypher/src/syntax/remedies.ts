/** Hints for users who write the syntax of another language. */
import { CypherError } from '../cypherError.ts';
import { nearestName } from '../names/nearestName.ts';

/** Keyed by the text at which parsing failed. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/!=/y, 'write <> for "not equal"'],
  [/==|(?<==)=/y, 'write = once'],
  [/&&|(?<=&)&/y, 'write AND'],
  [/\|\||(?<=\|)\|/y, 'write OR'],
  [/(?:NOT\s+)?I?LIKE\b/iy, 'write CONTAINS, STARTS WITH, ENDS WITH, or =~ with a regular expression'],
  [/GROUP\s+BY\b/iy, 'omit GROUP BY: RETURN groups by the items without aggregates'],
  [/HAVING\b/iy, 'write WITH ... WHERE instead of HAVING'],
  [/(?:SELECT|FROM)\b/iy, 'begin with MATCH (n) and end with RETURN n'],
  [/(?:INNER\s+|LEFT\s+)?JOIN\b/iy, 'write a pattern instead of JOIN: MATCH (a)-[r]->(b)'],
];

const CLAUSES = ['MATCH', 'OPTIONAL', 'WHERE', 'WITH', 'RETURN', 'UNWIND', 'ORDER', 'SKIP', 'LIMIT', 'UNION'];

/** @returns the error, with a hint if one is known for the text at its position */
export function withRemedy(error: CypherError, query: string): CypherError {
  const { kind, message, offset } = error;
  if (kind !== 'syntax' || offset === undefined) return error;
  const remedy = remedyAt(query, offset);
  return remedy === undefined ? error : new CypherError(kind, `${message}: ${remedy}`, offset);
}

function remedyAt(query: string, offset: number): string | undefined {
  for (const [pattern, remedy] of REMEDIES) {
    pattern.lastIndex = offset;
    if (pattern.test(query)) return remedy;
  }
  const [word] = /^[A-Za-z]{4,20}/.exec(query.slice(offset, offset + 20)) ?? [];
  const clause = word === undefined ? undefined : nearestName(word, CLAUSES);
  return clause === undefined || clause === word?.toUpperCase() ? undefined : `did you mean ${clause}?`;
}
