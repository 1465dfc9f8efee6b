/**
 * Relationships that a pattern defines: `MATCH` clauses whose rows name a start and an end. The facts that a
 * pattern reads are determined from its text, so patterns run in dependency order, and only after a change of
 * these facts.
 *
 * Rule: `docs/extensions.md#derived-relationships`.
 */
import { CypherError } from '../cypherError.ts';
import { propertyReads } from '../propertyReads.ts';
import { forEachPart, type Part } from '../syntax/forEachPart.ts';
import { parse } from '../syntax/parser.ts';
import { tokenize } from '../syntax/tokens.ts';
import { type Match, patternRanges } from '../syntax/writtenPatterns.ts';

/** Text of the pattern, and the names in it of the two nodes to connect. */
export interface DerivationPattern {
  readonly pattern: string;
  readonly start: string;
  readonly end: string;
}

export interface Derivation {
  /** Relationship types in the pattern, including `X_ATTACK_PATHS`. */
  readonly types: ReadonlySet<string>;
  /** Keys of the node properties that it reads. */
  readonly keys: ReadonlySet<string>;
  /**
   * Whether the pattern is deterministic and the facts that it reads are known. Keys of relationship properties
   * are not known.
   */
  readonly isKnown: boolean;
  /** Query for the rows of start and end, each pair once. */
  readonly query: string;
  /**
   * Query for start, end and the matched paths, one row per match. Absent if a match depends on more than the
   * relationships of its paths: if a condition searches for others, or a path is the shortest of several. So after
   * removing relationships, exactly the rows that contain none of them remain.
   */
  readonly matches?: string;
  /**
   * Query for the paths that matched for one pair. It contains the ids, because a text has no parameters.
   * @param startId @param endId object ids
   */
  readonly composition: (startId: string, endId: string) => string;
}

/** Maximum rows that the composition of one relationship shows. */
const MAX_COMPOSITION_ROWS = 100;
const PLAIN_NAME = /^[A-Za-z_]\w*$/;
/** Functions whose results differ between calls, or over time. */
const CHANGING = new Set([
  ...['rand', 'randomuuid', 'timestamp'],
  ...['date', 'datetime', 'localdatetime', 'time', 'localtime'],
]);

/** Properties that contain the zone of a node. */
const ZONE_KEYS = ['system_tags', 'highvalue', 'owned'];

/** @throws CypherError for an invalid pattern */
export function derivation({ pattern, start, end }: DerivationPattern): Derivation {
  const text = pattern.trim();
  const matches = matchesIn(text);
  const [names, types] = [new Set<string>(), new Set<string>()];
  let isChanging = false;
  for (const { patterns } of matches)
    for (const { nodes } of patterns) for (const { variable } of nodes) if (variable) names.add(variable);
  for (const [name, what] of [
    [start, 'start'],
    [end, 'end'],
  ])
    if (!PLAIN_NAME.test(name) || !names.has(name))
      throw new CypherError('meaning', `the pattern has no node \`${name}\` for its ${what}`);
  if (start === end) throw new CypherError('meaning', 'start and end are the same node');
  forEachPart(matches, (part) => {
    const { type, name, at } = part;
    if (type === 'parameter') throw new CypherError('refused', 'a pattern has no parameters', at as number);
    if (type === 'call' && CHANGING.has(String(name).toLowerCase())) isChanging = true;
    if ('direction' in part) {
      const own = part.types as readonly string[];
      if (own.length === 0)
        throw new CypherError('refused', 'each relationship of the pattern needs a type', at as number);
      for (const one of own) types.add(one);
    }
    for (const label of labelsOf(part))
      if (/^tag_/i.test(label))
        throw new CypherError(
          'refused',
          'zones depend on relationships, so a pattern cannot read them',
          at as number,
        );
  });
  const { all, nodes: keys, relationships, nodesForCertain } = propertyReads(`${text}\nRETURN 1`);
  const ofZones = ZONE_KEYS.find((key) => keys.has(key));
  if (ofZones !== undefined)
    throw new CypherError(
      'refused',
      `${ofZones} depends on zones, and zones depend on relationships, so a pattern cannot read it`,
    );
  const ofRelationships = [...relationships].some((key) => !nodesForCertain.has(key));
  return {
    ...{ types, keys, isKnown: !all && !isChanging && !ofRelationships },
    query: `${text}\nRETURN DISTINCT ${start}, ${end}`,
    ...(isMadeOfPaths(matches) && { matches: allMatches(text, matches, start, end) }),
    composition: (startId, endId) => {
      const { named, paths } = withPaths(text, matches);
      const ends = `MATCH (${start}), (${end}) WHERE ${start}.objectid = ${quoted(startId)} AND ${end}.objectid = ${quoted(endId)}`;
      return `${ends}\n${named}\nRETURN ${paths.join(', ')} LIMIT ${MAX_COMPOSITION_ROWS}`;
    },
  };
}

function matchesIn(text: string): Match[] {
  // Otherwise errors would mention a RETURN that is not in the pattern.
  const { parts } = parse(`${text}\nRETURN 1`);
  const clauses = parts.flatMap((part) => part.clauses);
  const others = clauses.slice(0, -1).find((clause) => clause.type !== 'match' || clause.optional);
  if (parts.length > 1 || others !== undefined || clauses.length < 2)
    throw new CypherError('refused', 'a pattern may contain only MATCH clauses with WHERE', others?.at);
  return clauses.slice(0, -1) as Match[];
}

function allMatches(text: string, matches: readonly Match[], start: string, end: string): string {
  const { named, paths } = withPaths(text, matches);
  return `${named}\nRETURN ${[start, end, ...paths].join(', ')}`;
}

/** Whether all relationships that a match depends on are in its paths. */
function isMadeOfPaths(matches: readonly Match[]): boolean {
  let [named, written] = [0, 0];
  for (const { patterns, more } of matches) {
    if (more !== undefined || patterns.some(({ shortest }) => shortest !== undefined)) return false;
    for (const { relationships } of patterns) named += relationships.length;
  }
  forEachPart(matches, (part) => {
    if ('direction' in part) written++;
  });
  return named === written;
}

/** Returns the pattern with a name for each of its paths. */
function withPaths(
  text: string,
  matches: readonly Match[],
): { readonly named: string; readonly paths: string[] } {
  const tokens = tokenize(text);
  const paths: string[] = [];
  let [named, from] = ['', 0];
  for (const match of matches)
    for (const [place, [begin]] of patternRanges(match, tokens).entries()) {
      const { variable } = match.patterns[place];
      const path = variable ?? `clew_path_${paths.length}`;
      paths.push(path);
      if (variable !== undefined) continue;
      named += `${text.slice(from, begin)}${path} = `;
      from = begin;
    }
  return { named: named + text.slice(from), paths };
}

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Labels of a node pattern, and labels that a condition requires. */
function labelsOf({ labels, type, names }: Part): readonly string[] {
  if (Array.isArray(labels)) return labels.flat();
  return type === 'labels' && Array.isArray(names) ? names : [];
}
