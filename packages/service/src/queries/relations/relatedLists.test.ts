import { ENTITY_KINDS, type RelatedListKey } from '@clew/api';
import { findEdge, hasKind, NO_EDGE, NO_NODE, objectIdOf } from '@clew/graph';
import { EDGE_KINDS, EdgeFlag, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMarked } from '../../generation/nodeMarks.ts';
import { unmetered } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { forests } from '../testing/forests.ts';
import { RELATED_LISTS } from './relatedLists.ts';
import { type RelationGraph, relationGraph } from './relationGraph.ts';
import { evaluateRelation } from './walk.ts';

/** The lists again, as sets read off the reference: slow, and without the table. */
function definitions(data: QueryData): Record<string, (x: number) => Iterable<number>> {
  const { graph, marks } = data;
  const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
  const is = (node: number, ...kinds: NodeKindName[]): boolean =>
    kinds.some((kind) => hasKind(graph, node, NodeKind[kind]));
  const isAccount = (node: number): boolean => is(node, 'User', 'Computer');
  const edges = all.flatMap((start) => {
    const list: { start: number; end: number; kind: string; flags: number }[] = [];
    for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) {
      const kind = EDGE_KINDS.find(({ id }) => id === graph.out.kinds[at])?.name ?? '';
      list.push({ start, end: graph.out.neighbours[at], kind, flags: graph.out.flags[at] });
    }
    return list;
  });
  const starts = (kinds: readonly string[], x: number): number[] =>
    edges.filter(({ end, kind }) => end === x && kinds.includes(kind)).map(({ start }) => start);
  const ends = (kinds: readonly string[], x: number): number[] =>
    edges.filter(({ start, kind }) => start === x && kinds.includes(kind)).map(({ end }) => end);
  const close = (from: Iterable<number>, next: (node: number) => Iterable<number>): Set<number> => {
    const found = new Set(from);
    for (const node of found) for (const other of next(node)) found.add(other);
    return found;
  };
  const withMembers = (holders: Iterable<number>): Set<number> =>
    close(holders, (node) => (isAccount(node) ? [] : starts(['MemberOf'], node)));
  const withGroups = (x: number): Set<number> => close([x], (node) => ends(['MemberOf'], node));
  const keep = (nodes: Iterable<number>, test: (node: number) => boolean): number[] =>
    [...nodes].filter(test);
  const acl = EDGE_KINDS.filter((kind) => kind.acl).map((kind) => kind.name as string);

  const rights = (kind: EdgeKindName) => (x: number) =>
    keep(
      [...withGroups(x)].flatMap((group) => ends([kind], group)),
      (node) => is(node, 'Computer'),
    );
  const holders = (kind: EdgeKindName) => (x: number) =>
    keep(
      withMembers(starts([kind], x)),
      (node) => !is(node, 'Group') || starts(['MemberOf'], node).length === 0,
    );
  const members = (x: number): Set<number> => withMembers(isAccount(x) ? [] : starts(['MemberOf'], x));
  const memberships = (x: number) => close(ends(['MemberOf'], x), (node) => ends(['MemberOf'], node));
  const controllers = (x: number) => withMembers(starts(acl, x));
  const controllables = (x: number) => [...withGroups(x)].flatMap((group) => ends(acl, group));

  /** Every chain upward as list of places from x on; a place twice in one chain adds nothing. */
  const chains = (x: number): number[][] => {
    const found: number[][] = [];
    const climb = (chain: number[]): void => {
      found.push(chain);
      for (const parent of starts(['Contains'], chain[chain.length - 1])) {
        if (is(parent, 'Domain', 'OU', 'Container') && !chain.includes(parent)) climb([...chain, parent]);
      }
    };
    climb([x]);
    return found;
  };
  const shields = (chain: number[]): boolean =>
    chain.some(
      (place, at) =>
        at > 0 &&
        isMarked(marks, 'blocksInheritance', place) &&
        chain.slice(0, at).some((below) => is(below, 'OU')),
    );
  const policies = (x: number) =>
    chains(x).flatMap((chain) =>
      edges
        .filter(({ end, kind }) => end === chain[chain.length - 1] && kind === 'GPLink')
        .filter(
          ({ start, flags }) => is(start, 'GPO') && ((flags & EdgeFlag.Enforced) !== 0 || !shields(chain)),
        )
        .map(({ start }) => start),
    );
  const affected = (x: number) =>
    edges
      .filter(({ start, end, kind }) => start === x && kind === 'GPLink' && is(end, 'Domain', 'OU'))
      .flatMap(({ end, flags }) => [
        ...close([end], (node) =>
          ends(['Contains'], node).filter(
            (child) =>
              (flags & EdgeFlag.Enforced) !== 0 ||
              !(isMarked(marks, 'blocksInheritance', node) && is(child, 'OU')),
          ),
        ),
      ]);
  const inside = (kind: NodeKindName) => (x: number) =>
    keep(
      close(ends(['Contains'], x), (node) => ends(['Contains'], node)),
      (node) => is(node, kind),
    );
  const ofDomain = (x: number, kind: NodeKindName) =>
    keep(all, (node) => graph.environmentOf[node] === x && is(node, kind));
  const foreign = (x: number) => (node: number) =>
    graph.environmentOf[node] === NO_NODE
      ? /^S-1-5-21-/.test(objectIdOf(graph, node)) &&
        !objectIdOf(graph, node).startsWith(`${objectIdOf(graph, x)}-`)
      : graph.environmentOf[node] !== x;
  const foreignMembers = (kind: NodeKindName) => (x: number) =>
    keep(
      withMembers(ofDomain(x, 'Group').flatMap((group) => starts(['MemberOf'], group))),
      (node) => is(node, kind) && foreign(x)(node),
    );
  const foreignHolders = (kind: NodeKindName, kinds: readonly string[]) => (x: number) =>
    keep(withMembers(ofDomain(x, kind).flatMap((object) => starts(kinds, object))), foreign(x));
  const closed =
    (along: (kinds: readonly string[], x: number) => number[], ...kinds: string[]) =>
    (x: number) =>
      close(along(kinds, x), (node) => along(kinds, node));
  const trusts = (along: typeof starts) => (x: number) =>
    keep(closed(along, 'SameForestTrust', 'CrossForestTrust')(x), (node) => is(node, 'Domain'));
  const below = closed(starts, 'HostsCAService', 'IssuedSignedBy', 'EnterpriseCAFor');
  const above = closed(
    ends,
    'EnterpriseCAFor',
    'TrustedForNTAuth',
    'IssuedSignedBy',
    'RootCAFor',
    'NTAuthStoreFor',
  );
  const around = (x: number) => [...below(x), ...above(x)];

  const bySuffix: Record<string, (x: number) => Iterable<number>> = {
    controllers,
    controllables,
    memberships,
    'group-membership': memberships,
    members,
    'admin-rights': rights('AdminTo'),
    'rdp-rights': rights('CanRDP'),
    'backup-rights': rights('CanBackup'),
    'dcom-rights': rights('ExecuteDCOM'),
    'ps-remote-rights': rights('CanPSRemote'),
    'admin-users': holders('AdminTo'),
    'rdp-users': holders('CanRDP'),
    'backup-operators': holders('CanBackup'),
    'dcom-users': holders('ExecuteDCOM'),
    'ps-remote-users': holders('CanPSRemote'),
    'sql-admins': (x) => starts(['SQLAdmin'], x),
    'sql-admin-rights': (x) => ends(['SQLAdmin'], x),
    'constrained-users': closed(starts, 'AllowedToDelegate'),
    'constrained-delegation-rights': closed(ends, 'AllowedToDelegate'),
    'foreign-users': foreignMembers('User'),
    'foreign-groups': foreignMembers('Group'),
    'foreign-admins': foreignHolders('Computer', ['AdminTo']),
    'foreign-gpo-controllers': foreignHolders('GPO', acl),
    'inbound-trusts': trusts(starts),
    'outbound-trusts': trusts(ends),
    'linked-gpos': policies,
    'dc-syncers': (x) => starts(['DCSync'], x),
    'adcs-escalations': closed(
      starts,
      ...['GoldenCert', '1', '3', '4', '6a', '6b', '9a', '9b', '10a', '10b', '16'].map((name) =>
        name === 'GoldenCert' ? name : `ADCSESC${name}`,
      ),
    ),
    'tier-zero': (x) => keep(affected(x), (node) => isMarked(marks, 'tierZero', node) && !is(node, 'Group')),
    'published-templates': closed(starts, 'PublishedTo'),
    'published-to-cas': closed(ends, 'PublishedTo'),
    'trusted-cas': closed(starts, 'TrustedForNTAuth'),
    linkedtemplates: (x) => keep(closed(starts, 'ExtendedByPolicy')(x), (node) => is(node, 'CertTemplate')),
  };
  const byKey: Record<string, (x: number) => Iterable<number>> = {
    'users/sessions': (x) => starts(['HasSession'], x),
    'computers/sessions': (x) => ends(['HasSession'], x),
    'groups/sessions': (x) =>
      keep(
        [x, ...members(x)].flatMap((member) => starts(['HasSession'], member)),
        (node) => is(node, 'Computer'),
      ),
    'users/gpos': policies,
    'computers/gpos': policies,
    'ous/gpos': policies,
    'domains/users': (x) => ofDomain(x, 'User'),
    'domains/groups': (x) => ofDomain(x, 'Group'),
    'domains/computers': (x) => ofDomain(x, 'Computer'),
    'domains/ous': (x) => ofDomain(x, 'OU'),
    'domains/gpos': (x) => ofDomain(x, 'GPO'),
    'gpos/ous': (x) => keep(affected(x), (node) => is(node, 'OU', 'Domain')),
    'gpos/users': (x) => keep(affected(x), (node) => is(node, 'User')),
    'gpos/computers': (x) => keep(affected(x), (node) => is(node, 'Computer')),
    'ous/users': inside('User'),
    'ous/groups': inside('Group'),
    'ous/computers': inside('Computer'),
    'rootcas/pki-hierarchy': below,
    'aiacas/pki-hierarchy': around,
    'enterprisecas/pki-hierarchy': around,
  };
  return Object.fromEntries(
    Object.keys(RELATED_LISTS).map((key) => [key, byKey[key] ?? bySuffix[key.split('/')[1]]]),
  );
}

function expectWhole(data: QueryData, graph: RelationGraph): void {
  const shown = new Set([graph.root, ...graph.results, ...graph.connecting]);
  const joined = new Set<number>();
  for (const edge of graph.edges) {
    const end = data.graph.out.neighbours[edge];
    const start = data.graph.out.offsets.findLastIndex((offset) => offset <= edge);
    expect(shown.has(start) && shown.has(end)).toBe(true);
    joined.add(start).add(end);
  }
  for (const way of graph.ways) {
    expect(shown.has(way.start) && shown.has(way.end)).toBe(true);
    for (const node of way.through) expect(shown.has(node)).toBe(false);
    joined.add(way.start).add(way.end);
  }
  for (const node of graph.results) expect(joined.has(node)).toBe(true);
}

describe('related lists on random forests', () => {
  test.each(ENTITY_KINDS.map((entity) => [entity.segment, entity] as const))(
    'of %s equal their definitions, and their graphs show what they count',
    (_, entity) => {
      fc.assert(
        fc.property(forests(), ({ data }) => {
          const defined = definitions(data);
          for (let root = 0; root < data.graph.nodeCount; root++) {
            if (!hasKind(data.graph, root, NodeKind[entity.kind])) continue;
            for (const { key } of entity.related) {
              const relation = RELATED_LISTS[key];
              const wanted = [...new Set(defined[key](root))]
                .filter((node) => node !== root)
                .sort((a, b) => a - b);
              expect([key, ...evaluateRelation(data, relation, root, unmetered)]).toEqual([key, ...wanted]);
              if (relation.listOnly === true) continue;
              const strict = relationGraph(data, relation, root, { connecting: false }, unmetered);
              expect([...strict.results]).toEqual(wanted);
              expect(strict.connecting.length).toBe(0);
              expectWhole(data, strict);
              const whole = relationGraph(data, relation, root, { connecting: true }, unmetered);
              expect([...whole.results]).toEqual(wanted);
              for (const edge of strict.edges) expect(whole.edges).toContain(edge);
              expectWhole(data, whole);
            }
          }
        }),
        { numRuns: 80 },
      );
    },
  );

  test('show as way only what the graph holds', () => {
    fc.assert(
      fc.property(forests(), ({ data }) => {
        for (let root = 0; root < data.graph.nodeCount; root++) {
          for (const key of [
            'users/controllables',
            'computers/admin-users',
            'groups/sessions',
          ] as RelatedListKey[]) {
            for (const way of relationGraph(data, RELATED_LISTS[key], root, { connecting: false }, unmetered)
              .ways) {
              const nodes = [way.start, ...way.through, way.end];
              way.kinds.forEach((kind, at) => {
                expect(findEdge(data.graph, nodes[at], kind, nodes[at + 1])).not.toBe(NO_EDGE);
              });
              expect(way.kinds.length).toBe(nodes.length - 1);
            }
          }
        }
      }),
      { numRuns: 80 },
    );
  });
});
