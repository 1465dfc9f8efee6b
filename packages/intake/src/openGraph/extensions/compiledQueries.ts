/**
 * Compiles the queries and patterns of a document before it is read. The thread has a time limit: a text that
 * takes too long is an error, and the others are still compiled.
 */
import { DEFAULT_BOUNDS, inBoundedThread, type ThreadBounds, type ThreadMessage } from './boundedThread.ts';
import { type CompiledText, compiledText, type QueryText } from './compiledText.ts';
import { FAULTS } from './markdownFaults.ts';
import { isObject } from './members.ts';

export type QueryMessage = ThreadMessage<CompiledText>;

export type Compiled = (text: QueryText) => CompiledText;

/** Longer texts are rejected because of their length. */
const MAX_LENGTH = 60_000;
/** Longer lists are rejected because of their length. */
const MAX_TEXTS = 2_000;
/** Lists of a definition whose members have a query, with the name of that member. */
const LISTS = [
  ['privilege_zone_rules', 'cypher'],
  ['node_findings', 'cypher'],
  ['saved_searches', 'query'],
  ['derived_relationships', 'pattern'],
] as const;

/** @param document any JSON: a definition, or one check */
export async function compiledQueries(
  document: Readonly<Record<string, unknown>>,
  bounds: ThreadBounds = DEFAULT_BOUNDS,
): Promise<Compiled> {
  const texts = new Map(textsOf(document).map((text) => [keyOf(text), text]));
  const script = new URL('./queryThread.ts', import.meta.url);
  const found =
    texts.size === 0
      ? []
      : await inBoundedThread<QueryText, CompiledText>({ script, name: 'clew-queries', bounds }, [
          ...texts.values(),
        ]);
  const compiled = new Map(
    [...texts.keys()].map((key, at) => {
      const one = found[at] as (typeof found)[number];
      return [key, 'result' in one ? one.result : { fault: FAULTS[one.none] }] as const;
    }),
  );
  return (text) => compiled.get(keyOf(text)) ?? compiledText(text);
}

const keyOf = ({ text, ends, takesParameters = false }: QueryText): string =>
  JSON.stringify([text, ends?.start, ends?.end, takesParameters]);

function textsOf(document: Readonly<Record<string, unknown>>): QueryText[] {
  const listed = LISTS.flatMap(([list, name]) => {
    const members = document[list];
    return Array.isArray(members) ? members.slice(0, MAX_TEXTS).flatMap((one) => textOf(one, name)) : [];
  });
  return [...textOf(document, 'cypher'), ...listed];
}

function textOf(member: unknown, name: string): QueryText[] {
  if (!isObject(member)) return [];
  const { [name]: given, start, end } = member;
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return [];
  const text = given.trim();
  if (text === '') return [];
  if (name === 'query') return [{ text, takesParameters: true }];
  if (name !== 'pattern') return [{ text }];
  return typeof start === 'string' && typeof end === 'string' ? [{ text, ends: { start, end } }] : [];
}
