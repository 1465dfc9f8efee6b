/**
 * Which edges take part in attack paths. A trust across forests is none by itself: the risk is in the edges for what
 * it lets through.
 *
 * Rule: `docs/findings.md#coverage`; `@clew/model` says which kinds these are.
 */
import { type EdgeFilter, edgesOfKind } from '@clew/graph';
import { EDGE_KINDS } from '@clew/model';

/** @param customKinds kinds of other sources that count as steps, too */
export function attackSteps(customKinds: readonly number[] = []): EdgeFilter {
  const kinds = EDGE_KINDS.filter(({ traversable }) => traversable).map(({ id }) => id);
  return edgesOfKind(...kinds, ...customKinds);
}
