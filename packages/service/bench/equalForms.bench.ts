/**
 * Runs the same queries in five forms each, on the organization of `cypherForms`. Answers are compared before times, which are CPU times.
 */
import type { LabelSet } from '@clew/cypher';
import { attackPropertyGraph, NameIndex, PropertyColumns } from '@clew/explore/testing';
import { objectIdOf } from '@clew/graph';
import { equalQuestions } from './equalQuestions.ts';
import { expectSameRows, rounded, timed } from './formTimes.ts';
import { organizationOf, SIZES } from './organization.ts';

const ROUNDS = 5;

/** Number of users named by id in one query. */
const NAMED = 300;

export default {
  name: 'service: cypher in five equal forms',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const { data, properties, graph, generation } = await organizationOf(SIZES[scale]);
    const index = new NameIndex(graph);
    const view = attackPropertyGraph({
      ...{ generation, data, names: () => index, labels: new Map() },
      columns: PropertyColumns.of(data, properties),
    });
    const ids: string[] = [];
    (view.label('User') as LabelSet).every((node) => ids.push(objectIdOf(graph, node)) < NAMED);
    return equalQuestions(ids).map((question) => {
      // In turns, because the first runs of a query compile code that all its forms share.
      const rounds = Array.from({ length: ROUNDS }, () =>
        question.forms.map((form) => timed(form, question, view)),
      );
      const [results] = rounds as [ReturnType<typeof timed>[]];
      expectSameRows(question, results);
      const times = question.forms.map((_, at) => Math.min(...rounds.map((round) => round[at].ms)));
      const [best, slowest] = [Math.min(...times), Math.max(...times)];
      return {
        name: question.name,
        figures: {
          'best form (ms)': rounded(best),
          'slowest form (ms)': rounded(slowest),
          ratio: rounded(slowest / best),
          rows: results[0]?.rows ?? 0,
        },
      };
    });
  },
};
