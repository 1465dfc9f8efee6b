/** Faults of a value against a schema, in words. */
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const compiled = new WeakMap<TSchema, Validator>();

const MOST = 20;

/**
 * @param at place of the value in the input of a person: `platform`; empty for the whole
 * @returns one line each; none when it fits
 */
export function schemaFaults(schema: TSchema, value: unknown, at = ''): string[] {
  const validator = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, validator);
  if (validator.Check(value)) return [];
  const faults = validator
    .Errors(value)
    // Said of each unknown field by itself.
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ keyword, instancePath, message }) => {
      const place = [at, ...instancePath.split('/').slice(1)].filter((part) => part !== '').join('.');
      return `${place || 'the input'} ${keyword === 'boolean' ? 'is not a known field' : message}`;
    });
  return [...new Set(faults)].slice(0, MOST);
}

/** @returns the value of a JSON text from outside; nothing where the text is not JSON, or its value not of this shape */
export function parsedAs<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return schemaFaults(schema, value).length === 0 ? (value as Static<Schema>) : undefined;
  } catch {
    return undefined;
  }
}
