/** Facts in a few words, for tests. */
import type { AspectName, EdgeFact, EdgeSetFact, NodeFact, ObjectFacts, Properties } from '@clew/model';

export function described(objectId: string, kind: string, properties: Properties = {}): NodeFact {
  return { objectId, kinds: ['Base', kind], properties, described: true };
}

export function mentioned(objectId: string, kind: string, properties: Properties = {}): NodeFact {
  return { objectId, kinds: ['Base', kind], properties, described: false };
}

/** `U1 -MemberOf-> G1`: kinds by the first letter. */
export function edge(text: string, extra: Partial<EdgeFact> = {}): EdgeFact {
  const [, startId, kind, endId] = /^(\S+) -(\S+)-> (\S+)$/.exec(text) as RegExpExecArray;
  return { startId, startKind: kindOf(startId), kind, endId, endKind: kindOf(endId), flags: 0, ...extra };
}

const KINDS: Readonly<Record<string, string>> = {
  U: 'User',
  G: 'Group',
  C: 'Computer',
  D: 'Domain',
  O: 'OU',
};

export function kindOf(objectId: string): string {
  return KINDS[objectId[0]] ?? 'Base';
}

export function edgeSet(
  ownerId: string,
  aspect: AspectName,
  edges: readonly (EdgeFact | string)[],
  extra: Partial<EdgeSetFact> = {},
): EdgeSetFact {
  return {
    ownerId,
    ownerKind: kindOf(ownerId),
    aspect,
    edges: edges.map((one) => (typeof one === 'string' ? edge(one) : one)),
    replaces: true,
    ...extra,
  };
}

/** One record of a file. */
export function record(
  nodes: readonly NodeFact[],
  edgeSets: readonly EdgeSetFact[] = [],
  extra: Partial<ObjectFacts> = {},
): ObjectFacts {
  return { index: 0, nodes, edgeSets, issues: [], ...extra };
}
