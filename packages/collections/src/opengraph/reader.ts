/**
 * The reader of OpenGraph files. Nodes and edges come in the order of the file: whoever stores them resolves edges
 * once all nodes are known. Rules: shared reference `collections-ad.md` 6.
 */
import { fileFault } from '../fileFault.ts';
import type { CollectionReader } from '../reader.ts';
import { convertEdge, convertNode } from './convert.ts';

export const openGraph: CollectionReader = {
  type: 'opengraph',
  format: 'opengraph',
  begin: (header) => {
    const fault = sourceKindFault(header.sourceKind);
    if (fault !== undefined) return fileFault('invalid-metadata', fault);
    return (object, { section, index, offset }) =>
      section === 'graph.nodes'
        ? convertNode(object, index, header.sourceKind, offset)
        : convertEdge(object, index, header.sourceKind, offset);
  },
};

/** A source kind is a kind of node: the same names are reserved. */
function sourceKindFault(sourceKind: string | undefined): string | undefined {
  return sourceKind !== undefined && /^tag(?:_|$)/i.test(sourceKind)
    ? 'source_kind must not begin with Tag_, which is reserved'
    : undefined;
}
