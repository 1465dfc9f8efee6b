/** The question that decides ADCSESC15: asked per authority, and the effect of both answers. */

import {
  AnalysisContext,
  type AuthorityAnswer,
  analyze,
  FINDING_TYPES,
  findFindings,
  isAttackStep,
  RULES,
} from '@clew/analysis';
import { answered, inputOf, Pki, WORKED_CASES } from '@clew/analysis/testing';
import { EdgeList, NodeSet, objectIdOf, withEdges } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { authorityQuestions } from './authorityQuestions.ts';

function worldOfCase(id: string, updatedAuthorities?: ReadonlyMap<string, AuthorityAnswer>): AnalysisContext {
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

const countOf = (context: AnalysisContext, kind: 'ADCSESC15' | 'ADCSESC15Updated'): number => {
  let count = 0;
  context.edges(kind).forEach(() => {
    count++;
  });
  return count;
};
const escalations = (context: AnalysisContext): number => countOf(context, 'ADCSESC15');

/** Number of ESC15 findings by type. */
function foundIn(context: AnalysisContext): Record<string, number> {
  const { graph } = context;
  const members = NodeSet.of(graph.nodeCount, [...context.nodesOf('Domain')]);
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(graph.nodeCount) };
  const { found } = findFindings({ context, zones: [zone], now: 1_767_225_600 });
  const counts: Record<string, number> = {};
  for (const type of found.types.subarray(0, found.count)) {
    const id: string = FINDING_TYPES[type]?.id ?? '';
    if (id.endsWith('ESC15')) counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

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

  it('at an authority that has it, leaves a relationship that is not a step, and the question', () => {
    const context = worldOfCase('W73, ESC15', answered('C'));
    expect([escalations(context), countOf(context, 'ADCSESC15Updated')]).toEqual([0, 1]);
    expect(isAttackStep(context.graph, EdgeKind.ADCSESC15Updated)).toBe(false);
    expect(authorityQuestions(context)).toEqual(authorityQuestions(worldOfCase('W73, ESC15')));
  });

  it('says by whose answer it does not count', () => {
    const context = worldOfCase('W73, ESC15');
    const { edges } = analyze({
      ...context,
      options: { ...context.options, updatedAuthorities: answered('C') },
    });
    expect([...edges.properties.values()]).toContainEqual({
      answeredby: 'Ann',
      answeredat: '2026-11-28T10:00:00Z',
    });
  });

  it('ends the findings of its relationships and of its templates', () => {
    expect(Object.keys(foundIn(worldOfCase('W73, ESC15'))).sort()).toContain('TemplateESC15');
    expect(foundIn(worldOfCase('W73, ESC15', answered('C')))).toEqual({});
  });

  it('at another authority changes nothing', () => {
    const context = worldOfCase('W73, ESC15', answered('ANOTHER'));
    expect([escalations(context), countOf(context, 'ADCSESC15Updated')]).toEqual([1, 0]);
  });
});
