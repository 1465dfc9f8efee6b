import { AZURE_DESCENDENTS, AZURE_RELATED_TYPES, type AzureRelatedType } from '@clew/api';
import { isMarked } from '@clew/generation';
import { hasKind } from '@clew/graph';
import { EDGE_KINDS, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tenants } from '../../test/tenants.ts';
import { unmetered } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { AZURE_LISTS, type AzureListKey } from './azureLists.ts';
import { relationOf } from './quirks.ts';
import { relationGraph } from './relationGraph.ts';
import { evaluateRelation } from './walk.ts';

const namesOf = (test: (kind: (typeof EDGE_KINDS)[number]) => boolean): string[] =>
  EDGE_KINDS.filter(test).map(({ name }) => name);
const CONTROL = namesOf((kind) => kind.azureControl);
const EXECUTION = namesOf((kind) => kind.azureExecution);
const APP_ROLES = namesOf(({ name }) => name.startsWith('AZMG') && name.includes('_'));

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Computes the lists from all simple paths: slow, and without the relations. */
function definitions(data: QueryData): Record<AzureRelatedType, (x: number) => Iterable<number>> {
  const { graph } = data;
  const is = (node: number, kind: NodeKindName): boolean => hasKind(graph, node, NodeKind[kind]);
  const edges: Edge[] = [];
  for (let start = 0; start < graph.nodeCount; start++) {
    for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) {
      const kind = EDGE_KINDS.find(({ id }) => id === graph.out.kinds[at])?.name ?? '';
      edges.push({ start, end: graph.out.neighbors[at], kind });
    }
  }
  const starts = (x: number, ...kinds: string[]): number[] =>
    edges.filter(({ end, kind }) => end === x && kinds.includes(kind)).map(({ start }) => start);
  const ends = (x: number, ...kinds: string[]): number[] =>
    edges.filter(({ start, kind }) => start === x && kinds.includes(kind)).map(({ end }) => end);
  const close = (from: Iterable<number>, next: (node: number) => Iterable<number>): Set<number> => {
    const found = new Set(from);
    for (const node of found) for (const other of next(node)) found.add(other);
    return found;
  };
  const members = (node: number): number[] => starts(node, 'AZMemberOf');
  const withMembers = (from: Iterable<number>): Set<number> => close(from, members);
  const withGroups = (x: number): Set<number> => close([x], (node) => ends(node, 'AZMemberOf'));
  const content = (from: Iterable<number>): Set<number> => close(from, (node) => ends(node, 'AZContains'));
  const inside = (x: number): Set<number> => content(ends(x, 'AZContains'));
  const last = (nodes: Iterable<number>): number[] => [...nodes].filter((node) => members(node).length === 0);
  const holders =
    (...kinds: string[]) =>
    (x: number) =>
      last(withMembers(starts(x, ...kinds)));

  const roles = (kind: string) => (x: number) => {
    const groups = is(x, 'AZGroup')
      ? []
      : ends(x, 'AZMemberOf').filter(
          (group) => is(group, 'AZGroup') && isMarked(data.marks, 'roleAssignable', group),
        );
    return [x, ...groups].flatMap((holder) => ends(holder, kind)).filter((role) => is(role, 'AZRole'));
  };
  const outboundControl = (x: number): Set<number> => {
    const own = [...withGroups(x)];
    const contained = own.flatMap((node) => [...inside(node)]);
    const controlled = [...own, ...contained].flatMap((node) => ends(node, ...CONTROL));
    return new Set([...contained, ...content(controlled)]);
  };
  return {
    'group-membership': (x) => ends(x, 'AZMemberOf'),
    'group-members': (x) => starts(x, 'AZMemberOf'),
    roles: roles('AZHasRole'),
    'eligible-roles': roles('AZRoleEligible'),
    'active-assignments': holders('AZHasRole'),
    'pim-assignments': holders('AZRoleEligible'),
    'role-approvers': (x) => starts(x, 'AZRoleApprover'),
    'outbound-control': outboundControl,
    'inbound-control': (x) => withMembers(starts(x, ...CONTROL, 'AZContains')),
    'outbound-execution-privileges': (x) => [...withGroups(x)].flatMap((node) => ends(node, ...EXECUTION)),
    'inbound-execution-privileges': holders(...EXECUTION),
    'outbound-abusable-app-role-assignments': (x) => ends(x, ...APP_ROLES),
    'inbound-abusable-app-role-assignments': (x) => starts(x, ...APP_ROLES),
    'key-readers': holders('AZOwner', 'AZContributor', 'AZGetKeys'),
    'certificate-readers': holders('AZOwner', 'AZContributor', 'AZGetCertificates'),
    'secret-readers': holders('AZOwner', 'AZContributor', 'AZGetSecrets'),
    'all-readers': holders('AZOwner', 'AZContributor', 'AZGetKeys', 'AZGetCertificates', 'AZGetSecrets'),
    'federated-identity-credentials': (x) => starts(x, 'AZAuthenticatesTo'),
    descendents: inside,
    ...(Object.fromEntries(
      AZURE_DESCENDENTS.map(([type, kind]) => [
        type,
        (x: number) => [...inside(x)].filter((node) => is(node, kind)),
      ]),
    ) as Record<(typeof AZURE_DESCENDENTS)[number][0], (x: number) => number[]>),
  };
}

describe('related lists of Azure objects on random tenants', () => {
  test('have a row for each type in the contract, and seven powerful app roles', () => {
    expect(Object.keys(AZURE_LISTS).sort()).toEqual(
      Object.keys(AZURE_RELATED_TYPES)
        .map((type) => `azure/${type}`)
        .sort(),
    );
    expect(APP_ROLES.length).toBe(7);
  });

  test('equal their definitions for every object, and their graphs show their entries', () => {
    const filled = new Set<string>();
    fc.assert(
      fc.property(tenants(), (data) => {
        const defined = definitions(data);
        for (const [type, definition] of Object.entries(defined)) {
          const relation = AZURE_LISTS[`azure/${type}` as AzureListKey];
          for (let root = 0; root < data.graph.nodeCount; root++) {
            const wanted = [...new Set(definition(root))]
              .filter((node) => node !== root)
              .sort((a, b) => a - b);
            if (wanted.length > 0) filled.add(type);
            expect([type, ...evaluateRelation(data, relation, root, unmetered)]).toEqual([type, ...wanted]);
            const graph = relationGraph(data, relation, root, { connecting: false }, unmetered);
            expect([...graph.results]).toEqual(wanted);
          }
        }
      }),
      { numRuns: 60 },
    );
    // Otherwise, the property would have proven nothing.
    expect([...filled].sort()).toEqual(Object.keys(AZURE_RELATED_TYPES).sort());
  });

  test('omit containers with content from outbound control under parity rules', () => {
    fc.assert(
      fc.property(tenants(), (data) => {
        const { graph } = data;
        for (let root = 0; root < graph.nodeCount; root++) {
          const all = evaluateRelation(data, relationOf('azure/outbound-control', 'clean'), root, unmetered);
          const ends = [...all].filter((node) => {
            for (let at = graph.out.offsets[node]; at < graph.out.offsets[node + 1]; at++)
              if (EDGE_KINDS.find(({ id }) => id === graph.out.kinds[at])?.name === 'AZContains')
                return false;
            return true;
          });
          const parity = relationOf('azure/outbound-control', 'parity');
          expect([...evaluateRelation(data, parity, root, unmetered)]).toEqual(ends);
        }
      }),
      { numRuns: 20 },
    );
  });
});
