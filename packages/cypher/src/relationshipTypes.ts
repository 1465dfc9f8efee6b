/** Determines which relationship types a query reads, so it need not run again after changes of other types. */
import { forEachPart } from './syntax/forEachPart.ts';
import { parse } from './syntax/parser.ts';

/**
 * @returns the types that it names, including `X_ATTACK_PATHS`; `undefined` if it may read any type
 * @throws CypherError for an invalid query
 */
export function relationshipTypes(query: string): ReadonlySet<string> | undefined {
  const types = new Set<string>();
  let isAny = false;
  forEachPart(parse(query), (part) => {
    if (!('direction' in part)) return;
    const own = part.types as readonly string[];
    if (own.length === 0) isAny = true;
    for (const type of own) types.add(type);
  });
  return isAny ? undefined : types;
}
