/** The loops that read uploads and build generations, in a thread. */

export { hasOtherRules } from './otherRules.ts';
export { startWorkerThread, type ThreadOptions, type WorkerThread } from './workerThread.ts';
