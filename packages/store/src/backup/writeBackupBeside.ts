/** Writes a backup in a thread of its own: compressing and encrypting a large database takes minutes of the processor. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BackupError } from './backupError.ts';
import type { BackupAnswer, BackupRequest } from './backupMessages.ts';
import type { BackupOptions, WrittenBackup } from './writeBackup.ts';

/** @throws BackupError like `writeBackup`, and the reason of the signal */
export async function writeBackupBeside({ signal, ...request }: BackupOptions): Promise<WrittenBackup> {
  signal?.throwIfAborted();
  const thread = new Worker(new URL('./backupThread.ts', import.meta.url), {
    name: 'clew-backup',
    workerData: request satisfies BackupRequest,
  });
  // The thread ends by itself, and leaves no part of a file.
  const end = (): void => thread.postMessage('end');
  signal?.addEventListener('abort', end, { once: true });
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  try {
    const [answer] = (await Promise.race([once(thread, 'message'), endOf(exited)])) as [BackupAnswer];
    if ('fault' in answer) throw new BackupError(answer.fault);
    return answer.written;
  } catch (error) {
    await exited;
    throw signal?.aborted === true ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function endOf(exited: Promise<void>): Promise<never> {
  await exited;
  throw new Error('the thread of the backup ended without an answer');
}
