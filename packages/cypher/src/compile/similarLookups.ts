/** Finds nodes that a lookup by name or object id missed: with the same text in another case, or with a longer name. */
import type { Scope } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import { namesIn } from '../match/expressionReads.ts';
import type { Budget } from '../run/budget.ts';
import type { RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { isList } from '../values/values.ts';
import type { ExpressionCompiler } from './expressionCompiler.ts';

/** Maximum number of nodes whose names are compared. */
const MAX_NAMES = 200_000;
/** Maximum number of values of a list that are looked up. */
const MAX_VALUES = 100;
/** Maximum number of found texts in a hint. */
const MAX_SHOWN = 3;
/** Maximum number of characters of each. */
const MAX_TEXT = 120;

interface Lookup {
  readonly key: string;
  readonly texts: readonly string[];
  readonly isSuffix: boolean;
}

/**
 * @param fits whether a node has the labels of the pattern
 * @returns a hint that names them; `undefined` if the condition is not a lookup, or no visible node is similar
 */
export function similarLookup(
  condition: Expression,
  scope: Scope,
  compiler: ExpressionCompiler,
  fits: (node: number) => boolean,
  context: Pick<RunContext, 'graph'> & { readonly budget: Budget },
): string | undefined {
  const lookup = lookupOf(condition, scope, compiler);
  if (lookup === undefined) return undefined;
  const { graph } = context;
  const { key, texts, isSuffix } = lookup;
  const find = (text: string): readonly number[] =>
    (isSuffix ? graph.seekSuffix?.(key, text) : graph.seek?.(key, text)) ?? [];
  const others = texts.flatMap((text) => [text.toUpperCase(), text.toLowerCase()]);
  const found = others.flatMap(find).filter(fits);
  if (found.length > 0) return shown(found, 'would match in another case', key, context);
  if (key !== 'name' || isSuffix) return undefined;
  const { sameName, longer } = scanned(texts, fits, context);
  if (sameName.length > 0) return shown(sameName, 'would match in another case', key, context);
  return longer.length === 0 ? undefined : shown(longer, 'would match with a longer name', key, context);
}

/** @returns the nodes with one of the names in any case, and those whose name is one of them up to an `@` */
function scanned(
  texts: readonly string[],
  fits: (node: number) => boolean,
  { graph, budget }: Parameters<typeof similarLookup>[4],
): { readonly sameName: number[]; readonly longer: number[] } {
  const wanted = new Set(texts.map((text) => text.toLowerCase()));
  const [sameName, longer]: [number[], number[]] = [[], []];
  const last = Math.min(graph.nodeCount, MAX_NAMES);
  for (let node = 0; node < last; node++) {
    budget.spend(1);
    if (graph.isHidden?.(node) === true || !fits(node)) continue;
    const name = graph.nodeProperty(node, 'name');
    if (typeof name !== 'string') continue;
    const text = name.toLowerCase();
    if (wanted.has(text)) sameName.push(node);
    else if (text.includes('@') && wanted.has(text.slice(0, text.indexOf('@')))) longer.push(node);
  }
  return { sameName, longer };
}

function shown(
  nodes: readonly number[],
  how: string,
  key: string,
  { graph }: Pick<RunContext, 'graph'>,
): string {
  const distinct = [...new Set(nodes)];
  const texts = distinct
    .slice(0, MAX_SHOWN)
    .map((node) => String(graph.nodeProperty(node, key)).slice(0, MAX_TEXT));
  return `${distinct.length} ${how}: ${texts.join(', ')}${distinct.length > MAX_SHOWN ? ', …' : ''}`;
}

/** @returns `undefined` unless it compares a property with texts that are the same for all rows */
function lookupOf(condition: Expression, scope: Scope, compiler: ExpressionCompiler): Lookup | undefined {
  if (condition.type !== 'binary') return undefined;
  const { operator, left, right } = condition;
  if (operator !== '=' && operator !== 'IN' && operator !== 'ENDS WITH') return undefined;
  const isReversed = operator === '=' && right.type === 'property' && left.type !== 'property';
  const [property, value] = isReversed ? [right, left] : [left, right];
  if (property.type !== 'property' || namesIn(value).size > 0) return undefined;
  try {
    const given = compiler.compile(value, scope)([]);
    const texts = (isList(given) ? given.slice(0, MAX_VALUES) : [given]).filter(
      (text) => typeof text === 'string' && text !== '',
    ) as string[];
    return { key: property.key, texts, isSuffix: operator === 'ENDS WITH' };
  } catch (error) {
    if (error instanceof CypherError) return undefined;
    throw error;
  }
}
