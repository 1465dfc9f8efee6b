/** The loops that read uploads and make generations, in a thread. */

export { startWorkerThread, type ThreadOptions } from './workerThread.ts';
