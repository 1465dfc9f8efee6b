/**
 * Merges adjacent MATCH clauses, so they are planned together and the search can start from a condition of a later
 * clause. A WITH that only passes on or renames variables is dropped.
 */
import { namesIn } from '../match/expressionReads.ts';
import type { Clause, Expression, MatchPart, Projection, Query, RelationshipPattern } from '../syntax/ast.ts';

type Match = Extract<Clause, { type: 'match' }>;

/** @param outer names defined before the clauses */
export function mergeClauses(clauses: readonly Clause[], outer: readonly string[]): readonly Clause[] {
  const merged: Clause[] = [];
  /** Names defined before the last of the merged MATCH clauses. */
  let before = new Set(outer);
  let known = new Set(outer);
  let renamed = 0;
  for (const clause of clauses) {
    const last = merged.at(-1);
    const isOpen = last?.type === 'match' && !last.optional;
    if (isOpen && clause.type === 'match' && !clause.optional && mayMerge(last, clause, known)) {
      merged[merged.length - 1] = { ...last, more: [...(last.more ?? []), ...partsOf(clause)] };
      known = union(known, madeBy(clause));
      continue;
    }
    if (isOpen && clause.type === 'with') {
      const names = passedOn(last, clause.projection, known, before);
      if (names !== undefined) {
        const dropped = [...known].filter((name) => !names.has(name) && !name.startsWith(' '));
        const changes = new Map<string, string>([...names].filter(([from, to]) => from !== to));
        // A name that no query can use.
        for (const name of dropped) changes.set(name, ` ${name} ${++renamed}`);
        const targets = new Set(names.values());
        const inWhere = new Map([...changes].filter(([from]) => !targets.has(from)));
        let match = rename(last, changes) as Match;
        if (clause.where !== undefined) {
          const where = rename(clause.where, inWhere) as Expression;
          match = { ...match, more: [...(match.more ?? []), { patterns: [], where }] };
        }
        merged[merged.length - 1] = match;
        known = new Set([...before, ...[...known].map((name) => changes.get(name) ?? name)]);
        continue;
      }
    }
    merged.push(clause);
    before = new Set(known);
    known = knownAfter(clause, known);
  }
  return merged;
}

/** @param known names defined before the clause @returns names defined after it */
export function knownAfter(clause: Clause, known: ReadonlySet<string>): Set<string> {
  if (clause.type === 'match') return union(known, madeBy(clause));
  if (clause.type === 'unwind') return union(known, [clause.variable]);
  if (clause.type === 'subquery') return union(known, columnsOf(clause.query));
  if (clause.type === 'procedure')
    return union(
      known,
      clause.yields.map(({ variable }) => variable),
    );
  const { all, items } = clause.projection;
  return new Set([...(all ? known : []), ...items.map(({ name }) => name)]);
}

/** @returns the parts of a MATCH, including merged clauses */
export function partsOf({ patterns, where, more = [] }: Match): readonly MatchPart[] {
  return [{ patterns, ...(where && { where }) }, ...more];
}

/** Names that a subquery returns; RETURN * is rejected in subqueries. */
function columnsOf({ parts: [{ clauses }] }: Query): readonly string[] {
  const last = clauses.at(-1);
  return last?.type === 'return' ? last.projection.items.map(({ name }) => name) : [];
}

const union = (names: ReadonlySet<string>, more: Iterable<string>): Set<string> =>
  new Set([...names, ...more]);

/** @returns the names in the patterns of a MATCH */
export function madeBy(clause: Match): string[] {
  return partsOf(clause).flatMap(({ patterns }) =>
    patterns.flatMap(({ variable, nodes, relationships }) =>
      [
        variable,
        ...[...nodes, ...relationships].map((element) => element.variable),
        ...relationships.flatMap(namesOfGroup),
      ].filter((name) => name !== undefined),
    ),
  );
}

const namesOfGroup = ({ group }: RelationshipPattern): (string | undefined)[] => [
  group?.starts.variable,
  group?.ends.variable,
];

/**
 * Clauses cannot be merged if the second one reuses a relationship or path as a pattern variable, or if the first
 * one reads a name that only the second one introduces.
 */
function mayMerge(first: Match, second: Match, known: ReadonlySet<string>): boolean {
  const single = second.patterns.flatMap(({ variable, relationships }) => [
    variable,
    ...relationships.map((relationship) => relationship.variable),
    ...relationships.flatMap(namesOfGroup),
  ]);
  if (single.some((name) => name !== undefined && known.has(name))) return false;
  const read = namesIn(first);
  return !madeBy(second).some((name) => !known.has(name) && read.has(name));
}

/**
 * @param known all defined names @param before names that the match did not introduce
 * @returns maps each name that is passed on to its new name; `undefined` for a WITH that does anything else
 */
function passedOn(
  match: Match,
  { all, items, distinct, orderBy, skip, limit }: Projection,
  known: ReadonlySet<string>,
  before: ReadonlySet<string>,
): ReadonlyMap<string, string> | undefined {
  if (distinct || orderBy.length > 0 || skip !== undefined || limit !== undefined) return undefined;
  const names = new Map<string, string>();
  if (all) for (const name of known) names.set(name, name);
  for (const { expression, name } of items) {
    if (expression.type !== 'variable' || !known.has(expression.name)) return undefined;
    if (names.has(expression.name) || [...names.values()].includes(name)) return undefined;
    names.set(expression.name, name);
  }
  for (const name of before) if (names.get(name) !== name) return undefined;
  // A name that is redefined within an expression cannot be renamed.
  const read = namesIn(match);
  const isHeld = [...names].some(([from, to]) => from !== to && !known.has(to) && read.has(to));
  return isHeld ? undefined : names;
}

/** Renames variables in all nested parts. */
function rename(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0) return part;
  if (Array.isArray(part)) return part.map((item) => rename(item, names));
  if (typeof part !== 'object' || part === null) return part;
  const { type } = part as { type?: string };
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      const isName = key === 'variable' || key === 'accumulator' || (key === 'name' && type === 'variable');
      if (isName && typeof value === 'string') return [key, names.get(value) ?? value];
      return [key, rename(value, names)];
    }),
  );
}
