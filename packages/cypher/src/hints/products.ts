/**
 * What a query writes as a product and could write as one pattern: nodes that are listed first, each of one with each of
 * another, and joined by a pattern later on. The engine plans both alike where it can; for people one pattern says more.
 */

import type { Clause, NodePattern, PathPattern } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { tokenize } from '../syntax/tokens.ts';

export interface ProductHint {
  readonly message: string;
  /** The same query with one pattern. */
  readonly query: string;
}

type Match = Extract<Clause, { type: 'match' }>;

interface Written {
  readonly match: Match;
  /** As written, without a node that moved; in their order. */
  readonly patterns: { text: string; readonly pattern: PathPattern }[];
  where: string[];
}

/** @returns nothing where no product could be one pattern @throws CypherError for what cannot be read */
export function productHint(query: string): ProductHint | undefined {
  const { parts } = parse(query);
  const replaced: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const moved: string[] = [];
  for (const { clauses } of parts)
    for (const [begin, end] of runsOf(clauses)) {
      const matches = clauses.slice(begin, end) as Match[];
      const to = clauses[end]?.at ?? query.length;
      const run = matches.map((match, at) => writtenOf(match, matches[at + 1]?.at ?? to, query));
      const nodes = foldNodes(run);
      if (nodes.length === 0) continue;
      moved.push(...nodes);
      replaced.push({ from: matches[0].at, to, text: textOf(run) });
    }
  if (moved.length === 0) return undefined;
  let text = query;
  for (const { from, to, text: one } of replaced.toReversed())
    text = `${text.slice(0, from)}${one}${to < query.length ? '\n' : ''}${text.slice(to)}`;
  return {
    message: `${moved.join(', ')}: written as a product, and could be part of the pattern that reads it`,
    query: text.trim(),
  };
}

/** Of MATCH clauses with nothing between them, from where to where. */
function runsOf(clauses: readonly Clause[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [at, clause] of clauses.entries()) {
    if (clause.type !== 'match' || clause.optional) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
}

function writtenOf(match: Match, to: number, query: string): Written {
  const body = query.slice(match.at, to);
  const tokens = tokenize(body);
  const texts: string[] = [];
  let [depth, begin, where] = [0, tokens[0].end, -1];
  for (const { kind, text, start, end } of tokens.slice(1)) {
    if (kind === 'symbol' && '([{'.includes(text)) depth++;
    if (kind === 'symbol' && ')]}'.includes(text)) depth--;
    const isWhere = depth === 0 && kind === 'name' && text.toUpperCase() === 'WHERE';
    const isSeparator = depth === 0 && kind === 'symbol' && text === ',';
    if (!isWhere && !isSeparator && kind !== 'end') continue;
    texts.push(body.slice(begin, start).trim());
    begin = end;
    if (!isWhere) continue;
    where = end;
    break;
  }
  return {
    match,
    patterns: match.patterns.map((pattern, at) => ({ pattern, text: texts[at] })),
    where: where < 0 ? [] : [body.slice(where).trim()],
  };
}

const isBare = ({ labels, properties, where }: NodePattern): boolean =>
  labels.length === 0 && properties === undefined && where === undefined;

/** Puts nodes that stand alone where a later pattern names them. @returns how they were written */
function foldNodes(run: Written[]): string[] {
  const moved: string[] = [];
  for (const [at, clause] of run.entries())
    for (const one of [...clause.patterns]) {
      const { pattern, text } = one;
      const [{ variable }] = pattern.nodes;
      if (pattern.relationships.length > 0 || pattern.variable !== undefined || variable === undefined)
        continue;
      const place = placeOf(run.slice(at), one, variable);
      if (place === undefined) continue;
      const bare = new RegExp(`\\(\\s*${variable.replace(/[$]/g, '\\$&')}\\s*\\)`);
      if (!bare.test(place.part.text)) continue;
      place.part.text = place.part.text.replace(bare, () => text);
      clause.patterns.splice(clause.patterns.indexOf(one), 1);
      if (clause.patterns.length === 0 && clause !== place.clause) {
        place.clause.where = [...clause.where, ...place.clause.where];
        clause.where = [];
      }
      moved.push(text);
    }
  return moved;
}

/** The first pattern with relationships that names the node and says nothing of it. */
function placeOf(run: readonly Written[], not: Written['patterns'][number], variable: string) {
  for (const clause of run)
    for (const part of clause.patterns) {
      if (part === not || part.pattern.relationships.length === 0) continue;
      const named = part.pattern.nodes.filter((node) => node.variable === variable);
      if (named.length > 0) return named.every(isBare) ? { clause, part } : undefined;
    }
  return undefined;
}

const textOf = (run: readonly Written[]): string =>
  run
    .filter(({ patterns }) => patterns.length > 0)
    .map(({ patterns, where }) => {
      const conditions = where.length > 1 ? where.map((one) => `(${one})`) : where;
      const tail = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
      return `MATCH ${patterns.map(({ text }) => text).join(', ')}${tail}`;
    })
    .join('\n');
