/** Which relationships a query reads, so that it need not run again where others have changed. */
import { forEachPart } from './syntax/forEachPart.ts';
import { parse } from './syntax/parser.ts';

/**
 * @returns the types that it names, `X_ATTACK_PATHS` among them; nothing where it may read any
 * @throws CypherError for a text that is not a query
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
