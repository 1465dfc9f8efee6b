/** Uploads of this tab, which continue while other pages are open. */
import type { FileUploadJob } from '@clew/api';
import { useSyncExternalStore } from 'react';
import { watchSending } from '../../service/browserFetch.ts';
import { withClient } from '../../service/client.ts';
import { describeError, queryClient } from '../../service/queries.ts';

interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** Why the service refused it. */
  readonly refusal?: string;
}

export interface Upload {
  readonly id: number;
  readonly files: readonly SentFile[];
  readonly state: 'sending' | 'ingesting' | 'done' | 'failed' | 'canceled';
  readonly job?: FileUploadJob;
  readonly failure?: string;
  cancel(): void;
  /** Sends the same files again, and replaces this upload. */
  retry(): void;
}

const listeners = new Set<() => void>();
let uploads: readonly Upload[] = [];
let lastId = 0;

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
}

function change(id: number, changes: Partial<Upload>): void {
  uploads = uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload));
  for (const listener of listeners) listener();
}

function changeFile(id: number, name: string, changes: Partial<SentFile>): void {
  const upload = uploads.find((one) => one.id === id);
  if (upload === undefined) return;
  change(id, { files: upload.files.map((file) => (file.name === name ? { ...file, ...changes } : file)) });
}

addEventListener('beforeunload', (event) => {
  if (uploads.some(({ state }) => state === 'sending')) event.preventDefault();
});

/** @returns when the job has ended in any way */
export async function beginUpload(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const id = ++lastId;
  const end = new AbortController();
  const { signal } = end;
  const sent = files.map(({ name, size }) => ({ name, size, sent: 0 }));
  const retry = () => {
    forgetUpload(id);
    void beginUpload(files);
  };
  uploads = [{ id, files: sent, state: 'sending', cancel: () => end.abort(), retry }, ...uploads];
  change(id, {});
  for (const file of files) watchSending(file, (bytes) => changeFile(id, file.name, { sent: bytes }));
  try {
    const { jobId, rejected } = await withClient((client) => client.uploadFiles(files, { signal }));
    for (const { path, reasons } of rejected) changeFile(id, path, { refusal: reasons.join('; ') });
    change(id, {
      state: 'ingesting',
      files: uploads.find((one) => one.id === id)!.files.map((file) => ({ ...file, sent: file.size })),
    });
    void queryClient.invalidateQueries({ queryKey: ['ListFileUploadJobs'] });
    const job = await withClient((client) =>
      client.waitForJob(jobId, {
        signal,
        interval: 1000,
        onChange: (now) => change(id, { job: now }),
      }),
    );
    change(id, { state: 'done', job });
  } catch (error) {
    if (signal.aborted) change(id, { state: 'canceled' });
    else change(id, { state: 'failed', failure: describeError(error).text });
  }
  void queryClient.invalidateQueries();
}

export function forgetUpload(id: number): void {
  uploads = uploads.filter((upload) => upload.id !== id);
  for (const listener of listeners) listener();
}
