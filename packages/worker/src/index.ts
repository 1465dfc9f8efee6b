/** The loops that read uploads and build generations, in a thread. */

export { startWorkerThread, type ThreadOptions, type WorkerThread } from './workerThread.ts';
