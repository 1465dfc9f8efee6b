import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import type { NodeKindName, UnreadPart } from '@clew/model';
import { EdgeFlag, EdgeKind, NodeKind, UNREAD_PART_NAMES } from '@clew/model';
import { expect, it } from 'vitest';
import { unreadParts } from './unread.ts';

const [ROOT, CHILD, OTHER, TENANT] = ['ROOT', 'CHILD', 'OTHER', 'TENANT'];

const thing = (id: string, kind: NodeKindName, environment: string, props = {}): TestNode => ({
  id,
  kinds: [NodeKind[kind]],
  environment,
  props,
});

/** Evidence in the domain that a part was read; certificate services of the root domain also serve the child. */
const EVIDENCE: Readonly<
  Record<
    Exclude<UnreadPart, 'environment'>,
    { readonly props?: object; readonly edge?: TestEdge; readonly more?: TestNode }
  >
> = {
  'access-lists': { edge: ['USER', EdgeKind.GenericAll, ROOT, EdgeFlag.HasAcl | EdgeFlag.Acl] },
  'certificate-services': { more: thing('TEMPLATE', 'CertTemplate', ROOT) },
  sessions: {},
  'local-groups': {},
  'user-rights': { props: { hasura: true } },
  policies: { more: thing('GPO', 'GPO', ROOT) },
  'authority-registry': { more: thing('CA', 'EnterpriseCA', ROOT, { casecuritycollected: true }) },
  'controller-registry': { props: { certificatemappingmethodsraw: 24 } },
  'ldap-settings': { props: { ldapsigning: false } },
};

function unreadWith(parts: readonly (keyof typeof EVIDENCE)[]): Record<string, readonly UnreadPart[]> {
  const evidence = parts.map((part) => EVIDENCE[part]);
  const world = graphOf({
    nodes: [
      ...[ROOT, CHILD, OTHER].map((id) => thing(id, 'Domain', id)),
      thing(TENANT, 'AZTenant', TENANT),
      thing('USER', 'User', ROOT),
      thing('DC', 'Computer', ROOT, Object.assign({}, ...evidence.map(({ props }) => props))),
      ...evidence.flatMap(({ more }) => more ?? []),
    ],
    edges: [
      ['DC', EdgeKind.DCFor, ROOT],
      [CHILD, EdgeKind.SameForestTrust, ROOT],
      // Derived edges do not prove that something was read.
      ['USER', EdgeKind.Owns, CHILD, EdgeFlag.HasAcl | EdgeFlag.Acl | EdgeFlag.Derived],
      ...evidence.flatMap(({ edge }) => (edge === undefined ? [] : [edge])),
    ],
  });
  const { graph, node } = world;
  const scanned = (part: UnreadPart) =>
    NodeSet.of(graph.nodeCount, (parts as readonly UnreadPart[]).includes(part) ? [node('DC')] : []);
  const environments = [ROOT, CHILD, OTHER, TENANT].map((id) => ({
    node: node(id),
    collected: id !== OTHER,
  }));
  const unread = unreadParts({
    graph,
    properties: world.properties,
    environments,
    scanned: { sessions: scanned('sessions'), localGroups: scanned('local-groups') },
  });
  return Object.fromEntries([ROOT, CHILD, OTHER, TENANT].map((id) => [id, unread.get(node(id)) ?? []]));
}

const ALL = UNREAD_PART_NAMES.filter((part) => part !== 'environment') as (keyof typeof EVIDENCE)[];

it('says of a domain of which nothing is there that nothing was read', () => {
  expect(unreadWith([])).toEqual({ [ROOT]: ALL, [CHILD]: ALL, [OTHER]: ['environment'], [TENANT]: [] });
});

it.each(ALL)('takes %s for read where something of it is there, and nothing else for that', (part) => {
  const unread = unreadWith([part]);
  // An authority itself is part of the certificate services.
  const read = part === 'authority-registry' ? [part, 'certificate-services'] : [part];
  expect(unread[ROOT]).toEqual(ALL.filter((one) => !read.includes(one)));
  const ofForest = ['certificate-services', 'authority-registry'];
  expect(unread[CHILD]).toEqual(ALL.filter((one) => !(read.includes(one) && ofForest.includes(one))));
});

it('has nothing to say where all was read', () => {
  expect(unreadWith(ALL)[ROOT]).toEqual([]);
});
