/** The question that decides ADCSESC15: asked of each authority, and what both answers do. */
import { EdgeList, objectIdOf, withEdges } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import { inputOf, Pki } from '../adcs/testing/pki.ts';
import { WORKED_CASES } from '../adcs/testing/workedCases.ts';
import { AnalysisContext } from '../analysisContext.ts';
import { analyze } from '../analyze.ts';
import { RULES } from '../rules.ts';
import { authorityQuestions } from './authorityQuestions.ts';

function worldOfCase(id: string, updatedAuthorities?: ReadonlySet<string>): AnalysisContext {
  const found = WORKED_CASES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  const pki = new Pki();
  found.world(pki);
  const test = pki.build();
  const { options, ...input } = inputOf(test);
  const all = { ...input, options: { ...options, ...(updatedAuthorities && { updatedAuthorities }) } };
  const list = new EdgeList();
  list.appendChunk(analyze(new AnalysisContext(all), RULES).edges);
  return new AnalysisContext({ ...all, graph: withEdges(test.graph, list) });
}

const escalations = (context: AnalysisContext): number => {
  let count = 0;
  context.edges('ADCSESC15').forEach(() => {
    count++;
  });
  return count;
};

describe('the update of November 2024', () => {
  it('is asked of the authority, with its templates and those who may enroll', () => {
    const context = worldOfCase('W73, ESC15');
    const { graph } = context;
    expect(escalations(context)).toBe(1);
    const questions = authorityQuestions(context);
    expect(
      questions.map(({ authority, templates }) =>
        [authority, ...templates].map((node) => objectIdOf(graph, node)),
      ),
    ).toEqual([['C', 'T']]);
    expect(questions[0]?.principals).toBeGreaterThan(0);
  });

  it('ends ADCSESC15 at an authority that has it, with the question, and no other escalation', () => {
    const context = worldOfCase('W73, ESC15', new Set(['C']));
    expect(escalations(context)).toBe(0);
    expect(authorityQuestions(context)).toEqual([]);
    const other = worldOfCase('W73, ESC15', new Set(['ANOTHER']));
    expect(escalations(other)).toBe(1);
  });
});
