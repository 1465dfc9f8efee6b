/** Runs the free layout in a worker, so that the page stays responsive. */

import workerAddress from './force.worker.ts?worker&url';
import type { Places } from './layered.ts';

/** The content security policy permits script addresses only from this policy: the address of the worker. */
const scripts = globalThis.trustedTypes?.createPolicy('clew', { createScriptURL: (address) => address });

const startWorker = (): Worker =>
  new Worker((scripts?.createScriptURL(workerAddress) ?? workerAddress) as string, { type: 'module' });

import type { Graph } from './model.ts';

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
    const worker = startWorker();
    const end = () => worker.terminate();
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<Float64Array | number>) => {
      if (typeof data === 'number') {
        onProgress(data);
        return;
      }
      end();
      resolve(new Map(ids.map((id, at) => [id, { x: data[at * 2], y: data[at * 2 + 1] }])));
    };
    worker.onerror = (event) => {
      end();
      reject(new Error(event.message));
    };
    worker.postMessage({ count: ids.length, links });
  });
}
