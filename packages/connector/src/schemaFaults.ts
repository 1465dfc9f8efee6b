/** Describes schema violations of a value in words. */
import { valueFaults } from '@clew/api';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const compiled = new WeakMap<TSchema, Validator>();

const MOST = 20;

/**
 * @param at path of the value in the input, such as `platform`; empty for the whole @returns one line per fault; empty if the
 * value is valid
 */
export function schemaFaults(schema: TSchema, value: unknown, at = ''): string[] {
  const validator = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, validator);
  if (validator.Check(value)) return [];
  const faults = new Set<string>();
  for (const fault of valueFaults(schema, value, 'the input', at)) {
    faults.add(fault);
    if (faults.size === MOST) break;
  }
  if (faults.size === 0) faults.add(`${at || 'the input'} does not match its description`);
  return [...faults];
}

/** @returns the value of an untrusted JSON text; `undefined` if it is not JSON, or not of this shape */
export function parsedAs<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return schemaFaults(schema, value).length === 0 ? (value as Static<Schema>) : undefined;
  } catch {
    return undefined;
  }
}
