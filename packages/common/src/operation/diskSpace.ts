/** A full disk stops everything, so large data is refused before the disk is full. */
import { statfs } from 'node:fs/promises';
import { apiError } from './apiError.ts';

/** @param bytes that stay free on the disk of the directory. @throws ApiError 507 */
export async function requireSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < bytes) throw apiError('storageFull');
}
