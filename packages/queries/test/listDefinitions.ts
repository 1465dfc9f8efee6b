/**
 * The entries of each related list, as sets derived from the reference (`docs/reference/queries.md#relation-rules`): slow, and independent
 * of the relations. Tests compare both.
 */

import { isMarked } from '@clew/generation';
import { hasKind, NO_NODE, objectIdOf } from '@clew/graph';
import {
  EDGE_KINDS,
  EdgeFlag,
  type EdgeKindName,
  edgeKindById,
  NodeKind,
  type NodeKindName,
} from '@clew/model';
import type { QueryData } from '../src/queryData.ts';
import { RELATED_LISTS } from '../src/relations/relatedLists.ts';

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly flags: number;
}

/** @returns the entries of each list by key, in any order, possibly repeated and including the object itself */
export function listDefinitions(data: QueryData): Record<string, (x: number) => Iterable<number>> {
  const { graph, marks } = data;
  const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
  const is = (node: number, ...kinds: NodeKindName[]): boolean =>
    kinds.some((kind) => hasKind(graph, node, NodeKind[kind]));
  const isAccount = (node: number): boolean => is(node, 'User', 'Computer');
  const out = new Map<number, Edge[]>();
  const into = new Map<number, Edge[]>();
  for (const start of all) {
    for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) {
      const kind = edgeKindById(graph.out.kinds[at])?.name ?? '';
      const edge = { start, end: graph.out.neighbors[at], kind, flags: graph.out.flags[at] };
      out.set(start, [...(out.get(start) ?? []), edge]);
      into.set(edge.end, [...(into.get(edge.end) ?? []), edge]);
    }
  }
  const edgesInto = (x: number, kinds: readonly string[]): Edge[] =>
    (into.get(x) ?? []).filter(({ kind }) => kinds.includes(kind));
  const edgesOut = (x: number, kinds: readonly string[]): Edge[] =>
    (out.get(x) ?? []).filter(({ kind }) => kinds.includes(kind));
  const starts = (kinds: readonly string[], x: number): number[] =>
    edgesInto(x, kinds).map(({ start }) => start);
  const ends = (kinds: readonly string[], x: number): number[] => edgesOut(x, kinds).map(({ end }) => end);
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

  /** Every upward chain from x as a list of containers; a repeated container in a chain adds nothing. */
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
    chain.slice(0, -1).some((place) => is(place, 'OU') && isMarked(marks, 'blocksInheritance', place));
  const policies = (x: number) =>
    chains(x).flatMap((chain) =>
      edgesInto(chain[chain.length - 1], ['GPLink'])
        .filter(
          ({ start, flags }) => is(start, 'GPO') && ((flags & EdgeFlag.Enforced) !== 0 || !shields(chain)),
        )
        .map(({ start }) => start),
    );
  const affected = (x: number) =>
    edgesOut(x, ['GPLink'])
      .filter(({ end }) => is(end, 'Domain', 'OU'))
      .flatMap(({ end, flags }) => [
        ...close([end], (node) =>
          ends(['Contains'], node).filter(
            (child) => (flags & EdgeFlag.Enforced) !== 0 || !isMarked(marks, 'blocksInheritance', child),
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
      ...['GoldenCert', '1', '3', '4', '6a', '6b', '9a', '9b', '10a', '10b', '15', '16'].map((name) =>
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
