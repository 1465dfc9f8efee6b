/** Edges between principals, with the flags of directory objects. */
import { type EdgeFact, EdgeFlag, type EdgeKindName, type Properties } from '@clew/model';
import type { Principal } from './principal.ts';

export function edge(
  start: Principal,
  kind: EdgeKindName,
  end: Principal,
  flags: number = EdgeFlag.HasAcl,
  properties?: Properties,
): EdgeFact {
  const fact = { startId: start.id, startKind: start.kind, kind, endId: end.id, endKind: end.kind, flags };
  return properties === undefined ? fact : { ...fact, properties };
}
