/** Building blocks of functions. */
import { CypherError } from '../cypherError.ts';
import type { RunContext } from '../run/context.ts';
import { typeName, type Value } from './values.ts';

export interface CypherFunction {
  /** Minimum number of arguments. */
  readonly least: number;
  readonly most: number;
  readonly work: (context: RunContext, args: readonly Value[]) => Value;
}

export function misfit(name: string, value: Value): CypherError {
  return new CypherError('value', `${name}() does not work on ${typeName(value)}`);
}

/** Returns null if any argument is null. */
export const strict = (
  least: number,
  most: number,
  work: (context: RunContext, ...args: NonNullable<Value>[]) => Value,
): CypherFunction => ({
  least,
  most,
  work: (context, args) => (args.includes(null) ? null : work(context, ...(args as NonNullable<Value>[]))),
});
