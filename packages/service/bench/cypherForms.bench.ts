/**
 * Runs the same query as one pattern and in several clauses, on a generated organization with its tenant. Answers are compared before
 * times, some of them with a plain walk over all edges. `small` is an organization with 11,000 objects, `large` one with 263,000 objects
 * and 3.4 million edges. Times are CPU times.
 */

import type { LabelSet, PropertyGraph, Value } from '@clew/cypher';
import { attackPropertyGraph, NameIndex, PropertyColumns } from '@clew/explore/testing';
import { nameOf } from '@clew/graph';
import { EDGE_KINDS, EdgeKind } from '@clew/model';
import { expectSameRows, rounded, timed } from './formTimes.ts';
import { HARD_QUESTIONS } from './hardQuestions.ts';
import { type Organization, organizationOf, SIZES } from './organization.ts';

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
      const { name, forms } = question;
      const results = forms.map((form) => timed(form, question, view));
      const [first] = results;
      expectSameRows(question, results);
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

/** Expected results by query, from a plain walk over all edges: the last value of the first row must be one of these numbers. */
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
