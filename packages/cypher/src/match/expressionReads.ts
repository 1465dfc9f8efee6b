/** Finds the names that an expression reads, and whether it is deterministic. */
import type { Expression } from '../syntax/ast.ts';

/** Splits `a AND b AND c` into its parts. */
export function conjuncts(expression: Expression): Expression[] {
  if (expression.type !== 'binary' || expression.operator !== 'AND') return [expression];
  const parts: Expression[] = [];
  const add = (part: Expression): void => {
    if (part.type !== 'binary' || part.operator !== 'AND') parts.push(part);
    else {
      add(part.left);
      add(part.right);
    }
  };
  add(expression);
  return parts;
}

/** @returns a text that is the same for the same expression elsewhere in the query */
export const textWithoutPlaces = (expression: Expression): string =>
  JSON.stringify(expression, (key, value) => {
    if (key === 'at' || key === 'span') return undefined;
    // In an object, because a string may have the same digits.
    return typeof value === 'bigint' ? { integer: String(value) } : value;
  });

/** Whether it always has the same value for the same input. */
export function isDeterministic(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(isDeterministic);
  if (typeof part !== 'object' || part === null) return true;
  const known = deterministic.get(part);
  if (known !== undefined) return known;
  const { type, name, at } = part as { type?: string; name?: string; at?: number };
  const isRandom = type === 'call' && (name === 'rand' || name === 'randomuuid');
  const is =
    !isRandom && Object.values(part).every((value) => typeof value !== 'object' || isDeterministic(value));
  if (at !== undefined) deterministic.set(part, is);
  return is;
}

/** Cached, because each planning step asks for the same immutable syntax nodes. */
const deterministic = new WeakMap<object, boolean>();
const namesOf = new WeakMap<object, ReadonlySet<string>>();

/** All names that occur in it, including names that it defines. */
export function namesIn(part: unknown): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return NO_NAMES;
  const known = namesOf.get(part);
  if (known !== undefined) return known;
  const names = new Set<string>();
  addNames(part, names);
  if ('at' in part) namesOf.set(part, names);
  return names;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Adds the names that `namesIn` finds. */
export function addNames(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) addNames(item, names);
  else if (typeof part === 'object' && part !== null) {
    const { type, name, variable } = part as { type?: string; name?: unknown; variable?: unknown };
    if (type === 'variable' && typeof name === 'string') names.add(name);
    if (typeof variable === 'string') names.add(variable);
    for (const value of Object.values(part)) if (typeof value === 'object') addNames(value, names);
  }
}
