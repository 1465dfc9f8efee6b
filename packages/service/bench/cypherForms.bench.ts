/**
 * The same question as one pattern and in several clauses, on a generated organization with its tenant: answers are
 * compared before times are, and some of them with a plain walk over all edges. `small` is an organization of 11,000
 * objects, `large` one of 263,000 with 3.4 million edges. Times are those of the processor.
 */

import {
  type LabelSet,
  type NodeValue,
  type PropertyGraph,
  type QueryResult,
  runQuery,
  type Value,
} from '@clew/cypher';
import { attackPropertyGraph, NameIndex, PropertyColumns } from '@clew/explore/testing';
import { nameOf } from '@clew/graph';
import { EDGE_KINDS, EdgeKind } from '@clew/model';
import { HARD_QUESTIONS, type HardQuestion } from './hardQuestions.ts';
import { type Organization, organizationOf, SIZES } from './organization.ts';

/** A question that takes longer is taken not to end. */
const LIMIT_MS = 30_000;

export default {
  name: 'service: cypher in several forms',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const organization = await organizationOf(SIZES[scale]);
    const { data, properties, graph } = organization;
    const index = new NameIndex(graph);
    const view = attackPropertyGraph({
      generation: organization.generation,
      ...{ data, columns: PropertyColumns.of(data, properties), names: () => index, labels: new Map() },
    });
    const expected = answersOf(graph, view);
    const all: number[] = [];
    const lines = HARD_QUESTIONS.map((question) => {
      const { name, forms, isEmpty = false } = question;
      const results = forms.map((form) => timed(form, question, view));
      const [first] = results;
      if ((first.rows === 0) !== isEmpty) throw new Error(`${name}: ${first.rows} rows`);
      for (const [at, { rows, sum }] of results.entries())
        if (rows !== first.rows || (!question.anyRows && sum !== first.sum))
          throw new Error(`${name}: form ${at + 1} has other rows: ${forms[at]}`);
      const told = expected.get(name)?.(first.firstRow);
      if (told !== undefined && !told.includes(first.firstRow.at(-1) as number))
        throw new Error(`${name}: ${first.firstRow} where a walk over all edges finds ${told}`);
      const times = results.map(({ ms }) => ms);
      all.push(...times);
      const slowest = Math.max(...times.slice(1));
      return {
        name,
        figures: {
          'one pattern (ms)': rounded(times[0]),
          'slowest form (ms)': rounded(slowest),
          ratio: rounded(slowest / times[0]),
          rows: first.rows,
        },
      };
    });
    all.sort((a, b) => a - b);
    const at = (part: number): number => rounded(all[Math.ceil(all.length * part) - 1]);
    const figures = { queries: all.length, 'p50 (ms)': at(0.5), 'p95 (ms)': at(0.95), 'longest (ms)': at(1) };
    return [...lines, { name: 'all forms of all questions', figures }];
  },
};

const rounded = (number: number): number => Math.round(number * 10) / 10;

interface Timed {
  readonly rows: number;
  /** The same for the same rows in any order; of paths their number counts. */
  readonly sum: number;
  readonly firstRow: readonly Value[];
  readonly ms: number;
}

/** Time of the processor, the better of two runs: the first one loads and compiles. */
function timed(query: string, question: HardQuestion, view: PropertyGraph): Timed {
  let best = Number.POSITIVE_INFINITY;
  let answer: Omit<Timed, 'ms'> | undefined;
  for (let run = 0; run < 2; run++) {
    const began = process.cpuUsage();
    const ms = (): number => {
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    const look = (): void => {
      if (ms() > LIMIT_MS) throw new Error(`${question.name}: no answer in ${LIMIT_MS} ms: ${query}`);
    };
    const limits = { results: 5_000_000 };
    if (question.asGraph) {
      const nodes = new Set<number>();
      const take = (values: readonly Value[]): void => {
        for (const value of values) nodes.add((value as NodeValue).node);
      };
      runQuery(query, view, { limits, look, asGraph: true, take });
      answer = { rows: nodes.size, sum: [...nodes].reduce((sum, node) => sum + node, 0), firstRow: [] };
    } else {
      const { rows } = runQuery(query, view, { limits, look });
      answer = { rows: rows.length, sum: sumOf(rows), firstRow: rows[0] ?? [] };
    }
    best = Math.min(best, ms());
  }
  return { ...(answer as Omit<Timed, 'ms'>), ms: best };
}

function sumOf(rows: QueryResult['rows']): number {
  const numberOf = (value: Value): number =>
    typeof value === 'number' ? value : ((value as { node?: number } | null)?.node ?? 1);
  return rows.reduce(
    (total, row) => total + row.reduce((one: number, value) => one * 31 + numberOf(value), 7),
    0,
  );
}

/** The results of a plain walk over all edges, by question: the last value of the first row is one of these numbers. */
function answersOf(graph: Organization['graph'], view: PropertyGraph) {
  const users = view.label('User') as LabelSet;
  const computers = view.label('Computer') as LabelSet;
  const reached = (seeds: Iterable<number>, kinds: ReadonlySet<number>): ReadonlySet<number> => {
    const found = new Set<number>();
    const open = [...seeds];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (let at = graph.in.offsets[node]; at < graph.in.offsets[node + 1]; at++) {
        const other = graph.in.neighbors[at];
        if (!kinds.has(graph.in.kinds[at]) || found.has(other)) continue;
        found.add(other);
        open.push(other);
      }
    return found;
  };
  const usersIn = (nodes: Iterable<number>): number => [...nodes].filter((node) => users.has(node)).length;
  const every = Array.from({ length: graph.nodeCount }, (_, node) => node);
  const tierZero = every.filter((node) => view.label('Tag_Tier_Zero')?.has(node));
  const steps = new Set(
    EDGE_KINDS.filter(({ traversable, platform }) => traversable && platform === 'ad').map(({ id }) => id),
  );
  const lead = usersIn(reached(tierZero, steps));
  const memberships = new Set<number>([EdgeKind.MemberOf]);
  const hasAdministrator = (node: number): boolean =>
    graph.in.kinds.subarray(graph.in.offsets[node], graph.in.offsets[node + 1]).includes(EdgeKind.AdminTo);
  const fixed = (answer: number) => (): readonly number[] => [answer];
  return new Map<string, (row: readonly Value[]) => readonly number[]>([
    ['users that reach Tier Zero', fixed(lead)],
    ['users that do not reach Tier Zero', fixed(usersIn(every) - lead)],
    [
      'computers that no one administers',
      fixed(every.filter((node) => computers.has(node) && !hasAdministrator(node)).length),
    ],
    [
      'largest groups with nested members',
      ([name]) =>
        every
          .filter((node) => nameOf(graph, node) === name)
          .map((node) => usersIn(reached([node], memberships))),
    ],
  ]);
}
