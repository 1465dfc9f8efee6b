/** Several related lists of an object at once, for the counts in its details. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lastMoment, type RequestContext } from '@clew/common';
import { endAfter } from '@clew/model';
import type { ListKey, QueryData } from '@clew/queries';
import type { QueryServices } from '../queryServices.ts';
import { onlyVisible, visibilityOf } from '../visibility.ts';

/** Returns each list like a page of it. A failed or slow one is missing, because a wrong 0 would mean "no one". */
export async function visibleLists(
  services: QueryServices,
  lists: Iterable<ListKey>,
  data: QueryData,
  root: number,
  { principal, signal, deadline, log }: RequestContext,
): Promise<ReadonlyMap<ListKey, Uint32Array>> {
  const visibility = visibilityOf(data, principal);
  const timeLeft = lastMoment(deadline) - Date.now();
  const patience = Number.isFinite(timeLeft) ? AbortSignal.any([signal, endAfter(timeLeft)]) : signal;
  const found = new Map<ListKey, Uint32Array>();
  const walking: Promise<void>[] = [];
  for (const list of lists) {
    const request = { list, rules: services.rules, root, sorts: [] };
    walking.push(
      services.pool.run(data, 'relatedNodes', request, patience).then(
        (nodes) => {
          found.set(list, onlyVisible(data, visibility, nodes));
        },
        (error: unknown) => {
          if (!patience.aborted) log.error({ err: error, list }, 'a count failed');
        },
      ),
    );
    // Each list may have used its allowance on the event loop.
    await nextTurn();
  }
  await Promise.all(walking);
  signal.throwIfAborted();
  return found;
}
