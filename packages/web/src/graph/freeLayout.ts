/** Runs the free layout in a worker, so that the page stays responsive. */

import workerAddress from './force.worker.ts?worker&url';
import type { Places } from './layered.ts';
import type { Graph } from './model.ts';

/** The content security policy permits script addresses only from this policy: the address of the worker. */
const scripts = globalThis.trustedTypes?.createPolicy('clew', { createScriptURL: (address) => address });

const startWorker = (): Worker =>
  new Worker((scripts?.createScriptURL(workerAddress) ?? workerAddress) as string, { type: 'module' });

/** A worker that has started and waits for a layout. */
let spare: Worker | undefined;

/** Starts the worker of the next layout, so that it loads its script while the page waits for objects. */
export function prepareFreeLayout(): void {
  if (spare === undefined) keepAsSpare(startWorker());
}

function keepAsSpare(worker: Worker): void {
  spare = worker;
  worker.onmessage = null;
  // The next layout starts another worker, and reports its error.
  worker.onerror = () => {
    if (spare === worker) spare = undefined;
  };
}

/** @param onProgress receives the completed share, from 0 to 1 @throws the reason of the signal */
export function freeLayout(
  graph: Graph,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Places> {
  const ids = [...graph.nodes.keys()];
  const index = new Map(ids.map((id, at) => [id, at]));
  const links = new Uint32Array(
    graph.edges.flatMap(({ source, target }) =>
      source === target ? [] : [index.get(source)!, index.get(target)!],
    ),
  );
  return new Promise((resolve, reject) => {
    const worker = spare ?? startWorker();
    spare = undefined;
    const onAbort = () => {
      worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort);
    worker.onmessage = ({ data }: MessageEvent<Float64Array | number>) => {
      if (typeof data === 'number') {
        onProgress(data);
        return;
      }
      signal.removeEventListener('abort', onAbort);
      if (spare === undefined) keepAsSpare(worker);
      else worker.terminate();
      resolve(new Map(ids.map((id, at) => [id, { x: data[at * 2], y: data[at * 2 + 1] }])));
    };
    worker.onerror = (event) => {
      signal.removeEventListener('abort', onAbort);
      worker.terminate();
      reject(new Error(event.message));
    };
    worker.postMessage({ count: ids.length, links });
  });
}
