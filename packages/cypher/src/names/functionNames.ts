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

export function unknownFunction(name: string): string {
  const instead = Object.hasOwn(INSTEAD, name)
    ? `: write ${INSTEAD[name]}`
    : didYouMean(name, functionNames());
  return `unknown cypher function: ${name}${instead}`;
}
