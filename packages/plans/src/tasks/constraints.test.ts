/** Which repairs a constraint on an object or a container excludes. */

import type { Generation } from '@clew/generation';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind } from '@clew/model';
import type { AnalyzedWorld, Repair } from '@clew/planning';
import { expect, it } from 'vitest';
import { type ConstraintFacts, exclusionOf } from './constraints.ts';

const test = graphOf({
  nodes: ['OU', 'HOST', 'HOST-544', 'OTHER', 'OTHER-544', 'USER'].map((id) => ({ id })),
  edges: [
    ['HOST-544', EdgeKind.LocalToComputer, 'HOST'],
    ['OTHER-544', EdgeKind.LocalToComputer, 'OTHER'],
    ['OU', EdgeKind.Contains, 'HOST'],
  ],
});

const repairOf = (object: string): Repair => ({
  ...{ id: object, kind: 'remove-local-member', object: test.node(object), principal: test.node('USER') },
  ...{ edgeKinds: ['MemberOfLocalGroup'], change: { removed: [], properties: [] } },
});

function exclusion(subject: ConstraintFacts['subject'], object_id: string): (repair: Repair) => boolean {
  return exclusionOf(
    {
      generation: { graph: test.graph, zones: [] } as unknown as Generation,
      world: { context: {} } as unknown as AnalyzedWorld,
    },
    {
      constraints: [{ subject, object_id, repairs: null, repair_kind: null }],
      ...{ within: [], ownedBy: null },
    },
  );
}

function excluded(subject: ConstraintFacts['subject'], object_id: string): string[] {
  const isExcluded = exclusion(subject, object_id);
  return ['HOST', 'HOST-544', 'OTHER-544'].filter((object) => isExcluded(repairOf(object)));
}

it('takes the local groups of a computer along, also of one in a container', () => {
  expect(excluded('object', 'HOST')).toEqual(['HOST', 'HOST-544']);
  expect(excluded('container', 'ou')).toEqual(['HOST', 'HOST-544']);
  expect(excluded('object', 'USER')).toEqual([]);
});

it('excludes the changes of a policy on a computer, and keeps its changes elsewhere', () => {
  const ofPolicy = (end: string): Repair => ({
    ...{ id: end, kind: 'remove-policy-member', object: test.node('OU'), principal: test.node('USER') },
    edgeKinds: ['MemberOfLocalGroup'],
    change: {
      removed: [{ start: test.node('USER'), kind: EdgeKind.MemberOfLocalGroup, end: test.node(end) }],
      properties: [],
    },
  });
  const isExcluded = exclusion('object', 'HOST');
  expect([isExcluded(ofPolicy('HOST-544')), isExcluded(ofPolicy('OTHER-544'))]).toEqual([true, false]);
});
