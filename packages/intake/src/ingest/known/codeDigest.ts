/** Digest of the code that turns records into facts and keeps them: with other code a known record is read again. */
import { dirname } from 'node:path';
import { digestOfCode, folderOf } from '@clew/common';

let digest: Buffer | undefined;

export function codeDigest(): Buffer {
  digest ??= digestOfCode([
    folderOf(import.meta.resolve('@clew/collections')),
    folderOf(import.meta.resolve('@clew/model')),
    dirname(import.meta.dirname),
  ]);
  return digest;
}
