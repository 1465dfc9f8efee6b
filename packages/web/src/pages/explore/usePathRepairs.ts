/** Repairs that cut the steps of a path, as reported by the service. */
import type { PathRepairsRecord } from '@clew/api';
import type { GraphEdge } from '../../graph/model.ts';
import { useAnswer } from '../../service/queries.ts';

/** Maximum number of steps in one request. */
const MAX_STEPS = 100;

/** Whether a single repair removes the step; otherwise several repairs do, and their costs add up. */
export const isOneRepair = ({ repairs, cost }: PathRepairsRecord['steps'][number]): boolean =>
  repairs.some((one) => one.removes && one.cost === cost);

/**
 * @param steps each is a list of relationships between the same two objects
 * @param isOfThese only these relationships, instead of all between the objects
 */
export function usePathRepairs(steps: readonly (readonly GraphEdge[])[], isOfThese = false) {
  const asked = steps.map((edges) => ({
    ...{ source_id: edges[0]?.source ?? '', target_id: edges[0]?.target ?? '' },
    ...(isOfThese && { kinds: edges.map(({ kind }) => kind) }),
  }));
  const isWhole = steps.every((edges) => edges.every(({ isWay, isGone }) => !isWay && isGone !== true));
  return useAnswer(
    'GetPathRepairs',
    { body: { steps: asked } },
    { enabled: isWhole && steps.length > 0 && steps.length <= MAX_STEPS },
  );
}
