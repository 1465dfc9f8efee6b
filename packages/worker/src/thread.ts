/** Runs the worker in a separate thread, so that reading files and building graphs does not delay requests. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger, giveBackMemory, openTracing } from '@clew/common';
import { toMessage } from '@clew/generation';
import { connectDatabase } from '@clew/store';
import type { FromThread, ThreadOptions, ToThread } from './threadMessages.ts';
import { startWorker } from './worker.ts';

/** Publishing a generation of a million objects holds its locks for a much shorter time. */
const LOCK_TIMEOUT_MS = 120_000;
const LOOK_FOR_REST_MS = 10_000;

const port = parentPort as NonNullable<typeof parentPort>;
const { connection, logLevel, tracesUrl, ...options } = workerData as ThreadOptions;
const log = createLogger(logLevel).child({ component: 'worker' });
const tracing = await openTracing(tracesUrl, { component: 'worker', log });
const database = connectDatabase(connection, log, {
  maxConnections: 8,
  applicationName: 'clew worker',
  lockTimeoutMs: LOCK_TIMEOUT_MS,
});

const send = (message: FromThread): void => port.postMessage(message);

const worker = startWorker({
  ...options,
  database,
  log,
  onObstacle: (obstacle) => send({ type: 'obstacle', obstacle }),
  announceGraph: (generation, facts) => send({ type: 'graph', generation: toMessage(generation), facts }),
  announce: (generation, facts) =>
    send({ type: 'coming', generation: toMessage(generation), ...(facts && { facts }) }),
  handOver: async (generation) => {
    send({ type: 'generation', generation: toMessage(generation) });
    const received = (message: ToThread): boolean =>
      message.type === 'received' && message.id === generation.id;
    for (let done = false; !done; ) done = received((await once(port, 'message'))[0]);
  },
});

port.on('message', async (message: ToThread) => {
  if (message.type !== 'stop') return;
  await worker.stop();
  await database.close();
  await tracing.close();
  port.close();
});

setInterval(() => {
  if (worker.isIdle) void giveBackMemory();
}, LOOK_FOR_REST_MS).unref();

await worker.ready;
send({ type: 'ready' });
