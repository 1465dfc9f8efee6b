/**
 * The procedures and commands that drivers and tools use to get names and versions. At the beginning of a query, one is replaced
 * by a list of rows, and the rest of the query runs on the list:
 *
 *     CALL db.labels() YIELD label WHERE label STARTS WITH 'A' RETURN label
 *     UNWIND $`clew rows` AS `clew row` WITH `clew row`.`label` AS `label` WHERE label STARTS WITH 'A' RETURN label
 */
import { type Principal, type QueryMap, SHOWN_DATABASE, TypedQueryError } from '@clew/common';
import { SHORTCUTS } from '../cypher/attackPropertyGraph.ts';
import type { GraphNames } from '../cypher/graphNames.ts';

export interface ProcedureSources {
  names(): Promise<GraphNames>;
  readonly principal: Principal;
}

interface Procedure {
  readonly columns: readonly string[];
  rows(sources: ProcedureSources): Promise<readonly QueryMap[]> | readonly QueryMap[];
}

const { name: DATABASE, version: VERSION } = SHOWN_DATABASE;

const names = (column: string, namesIn: (names: GraphNames) => readonly string[]): Procedure => ({
  columns: [column],
  rows: async (sources) => namesIn(await sources.names()).map((name) => ({ [column]: name })),
});

const row = (only: QueryMap): Procedure => ({ columns: Object.keys(only), rows: () => [only] });

const nothing = (...columns: readonly string[]): Procedure => ({ columns, rows: () => [] });

const PROCEDURES: Readonly<Record<string, Procedure>> = {
  'db.labels': names('label', ({ labels }) => labels),
  'db.relationshiptypes': names('relationshipType', ({ types }) =>
    types.filter((type) => !Object.hasOwn(SHORTCUTS, type)),
  ),
  'db.propertykeys': names('propertyKey', ({ properties, relationshipProperties }) =>
    [...new Set([...properties, ...relationshipProperties])].sort(),
  ),
  'db.ping': row({ success: true }),
  'db.info': row({ id: DATABASE, name: DATABASE, creationDate: '1970-01-01T00:00:00Z' }),
  'db.indexes': nothing(
    'id',
    'name',
    'state',
    'uniqueness',
    'type',
    'entityType',
    'labelsOrTypes',
    'properties',
  ),
  'db.constraints': nothing('id', 'name', 'description', 'details'),
  'dbms.components': row({ name: 'Neo4j Kernel', versions: [VERSION], edition: 'community' }),
  'dbms.showcurrentuser': {
    columns: ['username', 'roles', 'flags'],
    rows: ({ principal }) => [
      {
        username: principal.kind === 'anonymous' ? '' : principal.name,
        roles: principal.kind === 'user' ? [principal.role] : [],
        flags: [],
      },
    ],
  },
};

const DATABASES = row({
  ...{ name: DATABASE, type: 'standard', aliases: [], access: 'read-only', address: '', role: 'primary' },
  ...{ writer: false, requestedStatus: 'online', currentStatus: 'online', statusMessage: '' },
  ...{ default: true, home: true, constituents: [] },
});

const COMMANDS: Readonly<Record<string, Procedure>> = {
  'show databases': DATABASES,
  'show database': DATABASES,
  'show default database': DATABASES,
  'show home database': DATABASES,
  'show current user': {
    columns: ['user', 'roles'],
    rows: ({ principal }) => [
      {
        user: principal.kind === 'anonymous' ? '' : principal.name,
        roles: principal.kind === 'user' ? [principal.role] : [],
      },
    ],
  },
  'show indexes': nothing('id', 'name', 'state', 'type', 'entityType', 'labelsOrTypes', 'properties'),
  'show constraints': nothing('id', 'name', 'type', 'entityType', 'labelsOrTypes', 'properties'),
};

const CALL = /^\s*(?:CYPHER\s+[\d.]+\s+)?CALL\s+([\w.]+)\s*(?:\(\s*\))?(?![\w.(])/i;
const SHOW =
  /^\s*(?:CYPHER\s+[\d.]+\s+)?(SHOW\s+(?:(?:DEFAULT|HOME)\s+DATABASE|CURRENT\s+USER|DATABASES?|INDEX(?:ES)?|CONSTRAINTS?))\b/i;
const YIELD = /^\s*YIELD\s+(\*|\w+(?:\s+AS\s+\w+)?(?:\s*,\s*\w+(?:\s+AS\s+\w+)?)*)/i;
const ROWS = 'clew rows';

export interface RewrittenQuery {
  readonly text: string;
  readonly parameters: QueryMap;
}

/**
 * @returns `undefined` for a query that does not begin with a known procedure
 * @throws TypedQueryError for unknown columns, and errors of the sources
 */
export async function rewritten(
  { text, parameters }: RewrittenQuery,
  sources: ProcedureSources,
): Promise<RewrittenQuery | undefined> {
  const found = beginningOf(text);
  if (found === undefined) return undefined;
  const { procedure, name } = found;
  const yielded = YIELD.exec(found.rest);
  const rest = yielded === null ? found.rest : found.rest.slice(yielded[0].length);
  const columns = columnsOf(procedure, name, yielded?.[1] ?? '*');
  const items = columns.map(([column, as]) => `\`clew row\`.\`${column}\` AS \`${as}\``).join(', ');
  const end = /\bRETURN\b/i.test(rest) ? '' : ` RETURN ${columns.map(([, as]) => `\`${as}\``).join(', ')}`;
  return {
    text: `UNWIND $\`${ROWS}\` AS \`clew row\` WITH ${items} ${rest.replace(/;\s*$/, '')}${end}`,
    parameters: { ...parameters, [ROWS]: await procedure.rows(sources) },
  };
}

function beginningOf(
  text: string,
): { readonly procedure: Procedure; readonly name: string; readonly rest: string } | undefined {
  const [call, show] = [CALL.exec(text), SHOW.exec(text)];
  const match = call ?? show;
  if (match === null) return undefined;
  const name = match[1]
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ index$/, ' indexes');
  const known = call === null ? COMMANDS : PROCEDURES;
  const key = name.replace(/ constraint$/, ' constraints');
  if (!Object.hasOwn(known, key)) return undefined;
  return { procedure: known[key], name: match[1], rest: text.slice(match[0].length) };
}

function columnsOf({ columns }: Procedure, name: string, items: string): [column: string, as: string][] {
  if (items === '*') return columns.map((column) => [column, column]);
  return items.split(',').map((item) => {
    const [column, as = column] = item.trim().split(/\s+AS\s+/i);
    if (!columns.includes(column))
      throw new TypedQueryError('meaning', `${name} has no column ${column}: it has ${columns.join(', ')}`);
    return [column, as];
  });
}
