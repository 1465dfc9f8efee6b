/** A full disk blocks everything, so large data is rejected before the disk is full. */
import { statfs } from 'node:fs/promises';
import { apiError } from './apiError.ts';

/** @param bytes of the disk of the directory that must be free @throws ApiError 507 */
export async function requireSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < bytes) throw apiError('storageFull');
}
