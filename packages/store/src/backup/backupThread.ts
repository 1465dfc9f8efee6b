/** Writes one backup and exits; a message ends it before. */
import { parentPort, workerData } from 'node:worker_threads';
import { BackupError } from './backupError.ts';
import type { BackupAnswer, BackupRequest } from './backupMessages.ts';
import { writeBackup } from './writeBackup.ts';

const abort = new AbortController();
parentPort?.once('message', () => abort.abort());

async function write(): Promise<BackupAnswer> {
  try {
    return { written: await writeBackup({ ...(workerData as BackupRequest), signal: abort.signal }) };
  } catch (error) {
    if (error instanceof BackupError) return { fault: error.message };
    throw error;
  }
}

parentPort?.postMessage(await write());
parentPort?.close();
