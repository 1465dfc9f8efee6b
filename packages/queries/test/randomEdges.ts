/** Edges of random graphs: most are plausible, and any edge may join any nodes. */
import { EdgeKind, type EdgeKindName, type NodeKindName } from '@clew/model';
import fc from 'fast-check';

export type PlausibleEdge = readonly [NodeKindName, EdgeKindName, NodeKindName];

/** Numbers select among the matching nodes, so that edges stay meaningful when nodes are removed. */
export const edgeParts = (plausible: readonly PlausibleEdge[], anyKind: readonly EdgeKindName[]) => ({
  plausible: fc.option(fc.constantFrom(...plausible), { freq: 12 }),
  start: fc.nat({ max: 1000 }),
  kind: fc.constantFrom(...anyKind),
  end: fc.nat({ max: 1000 }),
});

/** @returns the ids of the ends, and the kind of the edge */
export function pickedEdge(
  nodes: readonly { readonly id: string; readonly kind: NodeKindName }[],
  { plausible, start, kind, end }: PickedNumbers,
): readonly [start: string, kind: number, end: string] {
  const pick = (number: number, wanted?: NodeKindName): string => {
    const fitting = wanted === undefined ? nodes : nodes.filter((node) => node.kind === wanted);
    const list = fitting.length > 0 ? fitting : nodes;
    return list[number % list.length].id;
  };
  return plausible === null
    ? [pick(start), EdgeKind[kind], pick(end)]
    : [pick(start, plausible[0]), EdgeKind[plausible[1]], pick(end, plausible[2])];
}

interface PickedNumbers {
  readonly plausible: PlausibleEdge | null;
  readonly start: number;
  readonly kind: EdgeKindName;
  readonly end: number;
}
