/**
 * The reader of OpenGraph files. Nodes and edges keep the order of the file: the store resolves edges once all nodes are known. Rules:
 * `docs/reference/collections.md#opengraph`.
 */
import type { CollectionReader } from '../reader.ts';
import { convertEdge, convertNode } from './convert.ts';

export const openGraph: CollectionReader = {
  type: 'opengraph',
  format: 'opengraph',
  begin:
    (header) =>
    (object, { section, index, offset }) =>
      section === 'graph.nodes'
        ? convertNode(object, index, header, offset)
        : convertEdge(object, index, header, offset),
};
