/**
 * The reader of OpenGraph files. Nodes and edges keep the order of the file: the store resolves edges once all nodes are known. Rules:
 * `docs/reference/collections.md#opengraph`.
 */
import type { ObjectFacts } from '@clew/model';
import type { CollectionReader, ObjectPlace } from '../reader.ts';
import { convertEdge, convertNode } from './convert.ts';
import { type DeclaredKinds, KindSpelling } from './kindSpelling.ts';
import { isItem } from './validate.ts';

export const openGraph: CollectionReader = {
  type: 'opengraph',
  format: 'opengraph',
  begin(header, declared) {
    const spelling = new KindSpelling(declared);
    return (object, place) => {
      const { section, index, offset } = place;
      if (section === 'graph.nodes')
        return noted(convertNode(object, index, header, offset), place, kindsOfNode(object, spelling));
      return noted(convertEdge(object, index, header, offset), place, kindsOfEdge(object, spelling));
    };
  },
  note: ({ sourceKind }, declared?: DeclaredKinds) => new KindSpelling(declared).nodeNote(sourceKind),
};

type Reasons = readonly (string | undefined)[];

function kindsOfNode(node: unknown, spelling: KindSpelling): Reasons {
  const { kinds } = isItem(node) ? node : {};
  return Array.isArray(kinds) ? kinds.map((kind) => spelling.nodeNote(kind)) : [];
}

function kindsOfEdge(edge: unknown, spelling: KindSpelling): Reasons {
  if (!isItem(edge)) return [];
  const ends = [edge.start, edge.end].map((end) => (isItem(end) ? spelling.nodeNote(end.kind) : undefined));
  return [spelling.edgeNote(edge.kind), ...ends];
}

function noted(facts: ObjectFacts, { index, offset }: ObjectPlace, reasons: Reasons): ObjectFacts {
  if (reasons.every((reason) => reason === undefined)) return facts;
  // A rejected object adds no kinds.
  if (facts.issues.some(({ severity }) => severity === 'rejected')) return facts;
  const issues = [...new Set(reasons)].flatMap((reason) =>
    reason === undefined ? [] : [{ severity: 'note' as const, index, offset, reason }],
  );
  return { ...facts, issues: [...facts.issues, ...issues] };
}
