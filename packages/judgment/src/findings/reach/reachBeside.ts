/** Computes reachability in another thread while the caller collects findings. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Reach, ReachQuestion } from '@clew/analysis';
import { exportColumns } from '@clew/graph';
import type { ReachAnswer, ReachRequest } from './reachMessages.ts';

/**
 * Minimum number of edges for which a thread pays off: it answers after about 0.8 s, mostly spent loading modules. In this thread the work
 * takes 0.2 s at 3.5 million edges and 2.9 s at 23 million.
 */
export const REACH_BESIDE_EDGES = 8_000_000;

/** @param signal ends the thread @throws AbortError if it does, and errors of the thread */
export async function findReachBeside(
  { graph, steps, blocked, everybody }: ReachQuestion,
  signal?: AbortSignal,
): Promise<Reach> {
  const request: ReachRequest = {
    columns: exportColumns(graph),
    allows: steps.allows,
    blocked: [...blocked].map(([rank, nodes]) => [rank, nodes.bitmap()]),
    everybody: everybody.bitmap(),
  };
  const thread = new Worker(new URL('./reachThread.ts', import.meta.url), {
    name: 'clew-reach',
    workerData: request,
  });
  try {
    const [answer] = (await once(thread, 'message', { signal })) as [ReachAnswer];
    const upstream = answer.upstream.map(
      ([rank, condensation]) => [rank, { ...condensation, blocked: blocked.get(rank) }] as const,
    );
    const beyondEverybody = { ...answer.beyondEverybody, blocked: everybody };
    return { forward: answer.forward, upstream: new Map(upstream), beyondEverybody };
  } finally {
    void thread.terminate();
  }
}
