/** Function names of the language, as users write them. */
import { AGGREGATES } from '../compile/aggregates.ts';
import { FUNCTIONS } from '../values/functions.ts';
import { didYouMean } from './nearestName.ts';

/** Names with upper-case letters. */
const WRITTEN = [
  ...[
    'toUpper',
    'toLower',
    'toString',
    'toInteger',
    'toFloat',
    'toBoolean',
    ...['toStringOrNull', 'toIntegerOrNull', 'toFloatOrNull', 'toBooleanOrNull', 'nullIf', 'isEmpty'],
    ...['toStringList', 'toIntegerList', 'toFloatList', 'toBooleanList'],
    'elementId',
    'startNode',
    'endNode',
  ],
  ...['localDatetime', 'localTime', 'datetime.fromEpoch', 'datetime.fromEpochMillis', 'randomUUID'],
  ...['duration.inMonths', 'duration.inDays', 'duration.inSeconds'],
  ...[
    'gds.util.asNode',
    'percentileCont',
    'percentileDisc',
    'stDev',
    'stDevP',
    'shortestPath',
    'allShortestPaths',
  ],
];
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(WRITTEN.map((name) => [name.toLowerCase(), name]));

/** Sorted alphabetically, including aggregates. */
export const functionNames = (): readonly string[] =>
  [...Object.keys(FUNCTIONS), ...Object.keys(AGGREGATES)]
    .map((name) => BY_LOWER_CASE.get(name) ?? name)
    .sort();

/** Replacements for functions of other dialects, by lower-case name. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...{ touppercase: 'toUpper', uppercase: 'toUpper', tolowercase: 'toLower', lowercase: 'toLower' },
  ...{ len: 'size', count_distinct: 'count(DISTINCT x)', substr: 'substring', instr: 'CONTAINS' },
  ...{ concat: '+', ifnull: 'coalesce', nvl: 'coalesce', isnull: 'IS NULL', now: 'datetime' },
  ...{ str: 'toString', int: 'toInteger', toint: 'toInteger', float: 'toFloat', average: 'avg' },
  ...{ contains: 'CONTAINS', startswith: 'STARTS WITH', endswith: 'ENDS WITH', matches: '=~' },
};

const POINTS = /^(?:point|point\..*|distance)$/;
const OF_OTHER_PRODUCTS = /^(?:apoc|gds|db|dbms|genai|graph|vector)\./;

/** @returns a hint for a function that has no replacement */
function withoutReplacement(name: string): string {
  return OF_OTHER_PRODUCTS.test(name) ? ': functions of libraries and servers are not supported' : '';
}

export function unknownFunction(name: string): string {
  const unknown = `unknown cypher function: ${name}`;
  if (POINTS.test(name)) return `${unknown}: points and distances are not supported`;
  if (Object.hasOwn(INSTEAD, name)) return `${unknown}: write ${INSTEAD[name]}`;
  return unknown + (didYouMean(name, functionNames()) || withoutReplacement(name));
}
