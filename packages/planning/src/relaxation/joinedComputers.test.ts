/** Joined computers as an entry: users of a domain with a quota get the rights of its computers, and the plan closes this. */

import { AnalysisContext, analyze, RULES } from '@clew/analysis';
import { inputOf, Pki } from '@clew/analysis/testing';
import { EdgeList, NodeSet, withEdges } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import { wholePlan } from '../plan.ts';
import { type AnalyzedWorld, exposuresOf, worldOf } from '../simulation/simulate.ts';

const USERS = Array.from({ length: 50 }, (_, at) => `u${at}`);
const COMPUTERS = Array.from({ length: 5 }, (_, at) => `c${at}`);

/** A template that lets requesters name the subject, for computers only. */
function worldWith(quota: number | undefined): AnalyzedWorld {
  const pki = new Pki();
  if (quota !== undefined) pki.set('D', { machineaccountquota: quota });
  pki.set('T', { enrolleesuppliessubject: true }).fixed('AU', 'EV', 'DU', 'DC').controller('K', 'D', {});
  const inDomain = { domainsid: 'S-1-5-21-1', enabled: true };
  for (const name of USERS) pki.add(name, 'User', inDomain).facts(`${name} in DU`);
  for (const name of COMPUTERS) pki.add(name, 'Computer', inDomain).facts(`${name} in DC`);
  const test = pki.facts('DC en T', 'AU en C').build();
  const input = inputOf(test);
  const { edges } = analyze(new AnalysisContext(input), RULES);
  const list = new EdgeList();
  list.appendChunk(edges);
  const context = new AnalysisContext({ ...input, graph: withEdges(test.graph, list) });
  const members = NodeSet.of(test.graph.nodeCount, ['S-1-5-21-1', 'K', 'H'].map(test.node));
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  return worldOf(context, { zonesOf: () => [zone], now: 1_767_225_600 });
}

const exposedIn = (world: AnalyzedWorld): number =>
  exposuresOf(world).reduce((sum, { exposed }) => sum + exposed, 0);

describe('a template for domain computers, with a quota', () => {
  it('exposes the users, and the plan closes the quota or the template', () => {
    const world = worldWith(10);
    expect(exposedIn(world)).toBe(USERS.length + COMPUTERS.length);
    const [card] = wholePlan(world, { zone: 1 })?.cards ?? [];
    const kinds = (card?.packages ?? []).flatMap(({ repairs }) => repairs.map(({ kind }) => kind));
    expect(kinds).toHaveLength(1);
    expect(['domain-computer-quota', 'template-subject', 'remove-enrollment']).toContain(kinds[0]);
  });

  it.each([0, undefined])('exposes computers alone where the quota is %s', (quota) => {
    expect(exposedIn(worldWith(quota))).toBe(COMPUTERS.length);
  });
});
