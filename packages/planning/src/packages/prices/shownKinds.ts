/** Maps a node to one of the kinds that prices compare. */
import { type AttackGraph, hasKind } from '@clew/graph';
import { NodeKind, type NodeKindName } from '@clew/model';

const COMPARED = [
  ...(['User', 'Computer', 'GPO', 'OU', 'CertTemplate', 'EnterpriseCA', 'Domain', 'Container'] as const),
  'Group',
] as const satisfies readonly NodeKindName[];

export type ComparedKind = (typeof COMPARED)[number];

/** @returns undefined for all other kinds */
export const shownKindOf = (graph: AttackGraph, node: number): ComparedKind | undefined =>
  COMPARED.find((kind) => hasKind(graph, node, NodeKind[kind]));
