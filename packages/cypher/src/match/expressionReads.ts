/** Finds the names that an expression reads, and whether it has the same value for the same input. */
import type { Expression } from '../syntax/ast.ts';

/** The parts of `a AND b AND c`. */
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

/** Whether it always has the same value for the same input. */
export function isDeterministic(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(isDeterministic);
  if (typeof part !== 'object' || part === null) return true;
  const { type, name } = part as { type?: string; name?: string };
  if (type === 'call' && (name === 'rand' || name === 'randomuuid')) return false;
  return Object.values(part).every((value) => typeof value !== 'object' || isDeterministic(value));
}

/** Names that occur anywhere in it, its own included. */
export function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(part)) for (const item of part) namesIn(item, names);
  else if (typeof part === 'object' && part !== null) {
    const { type, name, variable } = part as { type?: string; name?: unknown; variable?: unknown };
    if (type === 'variable' && typeof name === 'string') names.add(name);
    if (typeof variable === 'string') names.add(variable);
    for (const value of Object.values(part)) if (typeof value === 'object') namesIn(value, names);
  }
  return names;
}
