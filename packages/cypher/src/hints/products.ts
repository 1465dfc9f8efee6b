/**
 * Finds Cartesian products that a query could express as one pattern: nodes that are listed separately and joined
 * by a later pattern. The engine plans both forms the same way if it can, but one pattern is easier to read.
 */

import { addNames, namesIn } from '../match/expressionReads.ts';
import type { Clause, NodePattern, PathPattern } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { type Token, tokenize } from '../syntax/tokens.ts';
import { isSymbol, type Match, patternRanges, type Range } from '../syntax/writtenPatterns.ts';

export interface ProductHint {
  readonly message: string;
  /** The equivalent query with one pattern. */
  readonly query: string;
}

interface WrittenPattern {
  readonly pattern: PathPattern;
  readonly range: Range;
  /** Nodes that moved here: the range of the bare node, and the pattern that it came from. */
  readonly moved: { readonly at: Range; readonly from: WrittenPattern }[];
}

interface Condition {
  readonly range: Range;
  readonly names: ReadonlySet<string>;
}

interface WrittenMatch {
  readonly range: Range;
  /** The remaining patterns, in order. */
  readonly patterns: WrittenPattern[];
  conditions: readonly Condition[];
}

/** @returns `undefined` if no product can be one pattern @throws CypherError for an invalid query */
export function productHint(query: string): ProductHint | undefined {
  const { parts } = parse(query);
  const tokens = tokenize(query);
  const replaced: { readonly range: Range; readonly text: string }[] = [];
  const moved: string[] = [];
  for (const { clauses } of parts)
    for (const [begin, end] of runsOf(clauses)) {
      const run = (clauses.slice(begin, end) as Match[]).map((match) => writtenOf(match, tokens));
      const nodes = foldNodes(run, namesIn(clauses.slice(0, begin)), tokens);
      if (nodes.length === 0) continue;
      moved.push(...nodes.map((node) => patternText(node, query)));
      const last = run[run.length - 1] as WrittenMatch;
      replaced.push({ range: [run[0].range[0], last.range[1]], text: textOf(run, query) });
    }
  if (moved.length === 0) return undefined;
  let text = query;
  for (const { range, text: one } of replaced.toReversed()) {
    const after = text.slice(range[1]);
    const gap = /^\s+(?=\S)/.exec(after)?.[0].length ?? 0;
    text = `${text.slice(0, range[0])}${one}${gap > 0 ? '\n' : ''}${after.slice(gap)}`;
  }
  return {
    message: `${moved.join(', ')}: a Cartesian product that could be part of the pattern that reads it`,
    query: text.trim(),
  };
}

/** @returns the bounds of runs of adjacent MATCH clauses */
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

function writtenOf(match: Match, tokens: readonly Token[]): WrittenMatch {
  const ranges = patternRanges(match, tokens);
  const condition = match.where?.span;
  const last = ranges[ranges.length - 1] as Range;
  return {
    range: [match.at, condition === undefined ? last[1] : condition[1]],
    patterns: match.patterns.map((pattern, place) => ({ pattern, range: ranges[place], moved: [] })),
    conditions:
      match.where === undefined || condition === undefined
        ? []
        : [{ range: condition, names: namesIn(match.where) }],
  };
}

const isBare = ({ labels, properties, where }: NodePattern): boolean =>
  labels.length === 0 && properties === undefined && where === undefined;

/**
 * Moves separate nodes to the later pattern that names them. @param known names defined by earlier clauses
 * @returns the nodes that moved
 */
function foldNodes(
  run: readonly WrittenMatch[],
  known: ReadonlySet<string>,
  tokens: readonly Token[],
): WrittenPattern[] {
  const moved: WrittenPattern[] = [];
  const named = new Set(known);
  for (const [at, clause] of run.entries())
    for (const one of [...clause.patterns]) {
      const { pattern } = one;
      const [{ variable }] = pattern.nodes;
      const isAlone = pattern.relationships.length === 0 && pattern.variable === undefined;
      if (isAlone && variable !== undefined && !named.has(variable)) {
        const place = placeOf(run.slice(at), one, variable, tokens);
        if (place !== undefined) {
          place.part.moved.push({ at: place.at, from: one });
          clause.patterns.splice(clause.patterns.indexOf(one), 1);
          if (clause !== place.clause) {
            // These conditions may read the node, which is now defined later.
            place.clause.conditions = [...clause.conditions, ...place.clause.conditions];
            clause.conditions = [];
          }
          moved.push(one);
        }
      }
      addNames(pattern, named);
    }
  return moved;
}

/**
 * @returns the first pattern that names the node, and the node's position in it; `undefined` if that pattern has
 * no relationships or adds no condition on the node, or if something before it reads the node
 */
function placeOf(
  run: readonly WrittenMatch[],
  listed: WrittenPattern,
  variable: string,
  tokens: readonly Token[],
): { readonly clause: WrittenMatch; readonly part: WrittenPattern; readonly at: Range } | undefined {
  for (const [number, clause] of run.entries()) {
    for (const part of clause.patterns) {
      if (part === listed) continue;
      const isRead =
        namesIn(part.pattern).has(variable) ||
        part.moved.some(({ from }) => namesIn(from.pattern).has(variable));
      if (!isRead) continue;
      const at = bareNodeIn(part, variable, tokens);
      return at && { clause, part, at };
    }
    // Conditions of the clause that lists the node move with it.
    if (number > 0 && clause.conditions.some(({ names }) => names.has(variable))) return undefined;
  }
  return undefined;
}

/**
 * @returns the range in which the node is written as a bare name; `undefined` if the pattern has conditions on it
 * or reads it elsewhere
 */
function bareNodeIn(
  { pattern, moved }: WrittenPattern,
  variable: string,
  tokens: readonly Token[],
): Range | undefined {
  const { nodes, relationships } = pattern;
  const uses = nodes.filter((node) => node.variable === variable);
  const others = [...nodes.filter((node) => node.variable !== variable), ...relationships];
  const [use] = uses;
  const isRead = [...others, ...moved.map(({ from }) => from.pattern)].some((part) =>
    namesIn(part).has(variable),
  );
  if (use === undefined || relationships.length === 0 || isRead || !uses.every(isBare)) return undefined;
  const at = tokens.findIndex(({ start }) => start === use.at);
  const written = tokens.slice(at, at + 3);
  const isNode = written.length === 3 && isSymbol(written[0], '(') && isSymbol(written[2], ')');
  return isNode && written[1].text === variable ? [written[0].start, written[2].end] : undefined;
}

function patternText({ range: [start, end], moved }: WrittenPattern, query: string): string {
  let text = '';
  let from = start;
  for (const { at, from: node } of moved.toSorted((a, b) => a.at[0] - b.at[0])) {
    text += query.slice(from, at[0]) + patternText(node, query);
    from = at[1];
  }
  return text + query.slice(from, end);
}

const textOf = (run: readonly WrittenMatch[], query: string): string =>
  run
    .filter(({ patterns }) => patterns.length > 0)
    .map(({ patterns, conditions }) => {
      const texts = conditions.map(({ range }) => query.slice(...range));
      const all = texts.length > 1 ? texts.map((one) => `(${one})`) : texts;
      const where = all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
      return `MATCH ${patterns.map((one) => patternText(one, query)).join(', ')}${where}`;
    })
    .join('\n');
