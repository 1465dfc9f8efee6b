/** Parses `A|B&!C` after the colon of nodes and relationships: `!` binds most tightly, then `&`, then `|`. */
import { CypherError } from '../cypherError.ts';
import type { Expression } from './ast.ts';
import type { TokenStream } from './tokenStream.ts';

export type LabelExpression =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'not'; readonly of: LabelExpression }
  | { readonly type: 'and' | 'or'; readonly parts: readonly LabelExpression[] };

/**
 * Parses the labels after a colon. @param what kind of name, for messages @param takesBars false if `|` ends the
 * expression
 */
export function readLabels(tokens: TokenStream, what: string, takesBars = true): LabelExpression {
  const conjunction = (): LabelExpression => joined('and', '&', tokens, () => negation(tokens, what));
  if (!takesBars) return conjunction();
  return joined('or', '|', tokens, () => {
    // `:A|:B` is the older syntax.
    tokens.takesSymbol(':');
    return conjunction();
  });
}

function joined(
  type: 'and' | 'or',
  symbol: string,
  tokens: TokenStream,
  part: () => LabelExpression,
): LabelExpression {
  const parts = [part()];
  while (tokens.takesSymbol(symbol)) parts.push(part());
  return parts.length === 1 ? parts[0] : { type, parts };
}

function negation(tokens: TokenStream, what: string): LabelExpression {
  if (tokens.takesSymbol('!')) return { type: 'not', of: tokens.nested(() => negation(tokens, what)) };
  if (tokens.takesSymbol('(')) {
    const inner = tokens.nested(() => readLabels(tokens, what));
    tokens.expectSymbol(')');
    return inner;
  }
  if (tokens.isSymbol('%'))
    throw new CypherError('refused', '% for any label is not supported: omit it', tokens.next.start);
  return { type: 'name', name: tokens.expectName(what) };
}

export interface SplitLabels {
  /** A conjunction of alternatives: one label from each list is required. */
  readonly lists: readonly (readonly string[])[];
  /** Expressions that lists cannot represent. */
  readonly rest: readonly LabelExpression[];
}

/** Splits a conjunction into names, or alternatives of names, and other expressions. */
export function splitLabels(expressions: readonly LabelExpression[]): SplitLabels {
  const lists: (readonly string[])[] = [];
  const rest: LabelExpression[] = [];
  const add = (part: LabelExpression): void => {
    const names = namesOf(part);
    if (names !== undefined) lists.push(names);
    else if (part.type === 'and') part.parts.forEach(add);
    else rest.push(part);
  };
  expressions.forEach(add);
  return { lists, rest };
}

function namesOf(expression: LabelExpression): string[] | undefined {
  if (expression.type === 'name') return [expression.name];
  if (expression.type !== 'or') return undefined;
  const names: string[] = [];
  for (const part of expression.parts) {
    const own = namesOf(part);
    if (own === undefined) return undefined;
    names.push(...own);
  }
  return names;
}

export const anyOf = (names: readonly string[]): LabelExpression => ({
  type: 'or',
  parts: names.map((name) => ({ type: 'name', name })),
});

/** Converts a label expression to a condition. */
export function labelCondition(of: Expression, expression: LabelExpression): Expression {
  const { at } = of;
  switch (expression.type) {
    case 'name':
      return { type: 'labels', at, of, names: [expression.name] };
    case 'not':
      return { type: 'not', at, of: labelCondition(of, expression.of) };
    default: {
      const operator = expression.type === 'and' ? 'AND' : 'OR';
      return expression.parts
        .map((part) => labelCondition(of, part))
        .reduce((left, right): Expression => ({ type: 'binary', at, operator, left, right }));
    }
  }
}

/** @returns `undefined` for an empty list */
export function allOfConditions(conditions: readonly Expression[]): Expression | undefined {
  if (conditions.length === 0) return undefined;
  return conditions.reduce(
    (left, right): Expression => ({ type: 'binary', at: left.at, operator: 'AND', left, right }),
  );
}
