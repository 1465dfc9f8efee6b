/**
 * Preloaded into each thread of the tested service: its clock can jump, and its threads can die. The process receives commands as messages
 * from its parent, and its threads over a channel; the offset of the clock is shared memory.
 */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

const { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } = workerThreads;
const KEY = 'clock of chaos';
const CHANNEL = 'chaos';

const shared = isMainThread ? new SharedArrayBuffer(8) : getEnvironmentData(KEY);
if (isMainThread) setEnvironmentData(KEY, shared);
const offset = new BigInt64Array(shared);

const RealDate = globalThis.Date;
const now = () => RealDate.now() + Number(Atomics.load(offset, 0));
// Existing times, and those of other threads, are still instances of it.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made === globalThis.Date ? target : made),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

/** Threads that this one has started, by name. */
const threads = new Map();
const RealWorker = workerThreads.Worker;
workerThreads.Worker = class Worker extends RealWorker {
  constructor(script, options) {
    super(script, options);
    const name = options?.name ?? 'unnamed';
    const own = threads.get(name) ?? new Set();
    threads.set(name, own.add(this));
    this.once('exit', () => own.delete(this));
  }
};
syncBuiltinESMExports();

function endThread(name) {
  const [thread] = threads.get(name) ?? [];
  if (thread === undefined) return;
  void thread.terminate();
  if (isMainThread) process.send?.({ ended: name });
  else channel.postMessage({ ended: name });
}

const channel = new BroadcastChannel(CHANNEL);
channel.unref();
channel.onmessage = ({ data }) => {
  if (data.thread !== undefined) endThread(data.thread);
  else if (isMainThread && data.ended !== undefined) process.send?.(data);
};
if (isMainThread && process.send !== undefined) {
  process.on('message', ({ clockMs, thread }) => {
    if (clockMs !== undefined) Atomics.store(offset, 0, BigInt(clockMs));
    if (thread === undefined) return;
    endThread(thread);
    channel.postMessage({ thread });
  });
  // The channel to the parent must not keep the service running.
  process.channel?.unref();
}
