/** Words of enumerations are case-insensitive: these functions give them the case of the contract. */

/** The parts of a JSON Schema that determine the possible words of a value. */
export interface WordSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly WordSchema[];
  readonly properties?: Readonly<Record<string, WordSchema>>;
  readonly items?: WordSchema;
  readonly additionalProperties?: unknown;
}

/** Longer lists and deeper bodies contain no words. */
const MAX_DEPTH = 8;

/** @returns the possible words of the value; `undefined` if any value is possible */
export function wordsOf({ const: only, enum: words, anyOf = [] }: WordSchema): readonly string[] | undefined {
  if (words !== undefined) return words.filter((word) => typeof word === 'string');
  if (typeof only === 'string') return [only];
  if (anyOf.length === 0) return undefined;
  const choices = anyOf.filter(({ type }) => type !== 'null').map(wordsOf);
  return choices.some((choice) => choice === undefined)
    ? undefined
    : choices.flatMap((choice) => choice ?? []);
}

/** @returns the word as the contract writes it; an exact match takes precedence over one that differs in case */
export function sameWord(words: readonly string[], text: string): string | undefined {
  return words.includes(text) ? text : words.find((word) => word.toLowerCase() === text.toLowerCase());
}

/** @returns the value with its words in the case of the contract; other values stay unchanged */
export function withWordsOf(schema: WordSchema, value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  if (typeof value === 'string') return sameWord(wordsOf(schema) ?? [], value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const shape = shapeOf(schema, Array.isArray(value));
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined ? value : value.map((item) => withWordsOf(items, item, depth + 1));
  }
  const { properties } = shape;
  if (properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Object.hasOwn(properties, name) ? withWordsOf(properties[name], member, depth + 1) : member,
    ]),
  );
}

/** @returns the first alternative with members or items */
function shapeOf(schema: WordSchema, isList: boolean): WordSchema {
  const fits = ({ items, properties }: WordSchema) => (isList ? items : properties) !== undefined;
  return fits(schema) ? schema : (schema.anyOf?.find(fits) ?? schema);
}
