/** Which properties a query reads, so that they can be there before it runs. */
import { parse } from './syntax/parser.ts';

export interface PropertyReads {
  readonly keys: ReadonlySet<string>;
  /** It may read any: `properties(n)`, `keys(n)`, `n[...]`, properties out of a parameter. */
  readonly all: boolean;
}

const READS_ALL = new Set(['properties', 'keys']);

/** @throws CypherError for a text that is no query */
export function propertyReads(query: string): PropertyReads {
  const keys = new Set<string>();
  let all = false;
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) {
      part.forEach(walk);
      return;
    }
    if (typeof part !== 'object' || part === null) return;
    const { type, key, name, properties, index } = part as Record<string, unknown>;
    if (type === 'property') keys.add(key as string);
    if (type === 'call' && READS_ALL.has(name as string)) all = true;
    if (type === 'index') {
      const { type: of, value } = index as { type: string; value: unknown };
      if (of !== 'literal') all = true;
      else if (typeof value === 'string') keys.add(value);
    }
    const inline = properties as
      | { type?: string; entries?: readonly (readonly [string, unknown])[] }
      | undefined;
    if (inline?.type === 'map') for (const [entry] of inline.entries ?? []) keys.add(entry);
    else if (inline?.type === 'parameter') all = true;
    for (const value of Object.values(part)) walk(value);
  };
  walk(parse(query));
  return { keys, all };
}
