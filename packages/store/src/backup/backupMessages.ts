/** Request and answer of a backup in a thread of its own. */
import type { BackupOptions, WrittenBackup } from './writeBackup.ts';

export type BackupRequest = Omit<BackupOptions, 'signal'>;

export type BackupAnswer =
  | { readonly written: WrittenBackup }
  /** Message of a `BackupError`, whose class is lost between threads. */
  | { readonly fault: string };
