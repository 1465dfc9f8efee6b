import { StartError } from '@clew/embedded';

/** Nothing was restored or written; the message says why. */
export class BackupError extends StartError {
  override readonly name = 'BackupError';
}
