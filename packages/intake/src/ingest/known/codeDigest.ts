/**
 * Digest of the code that converts records to facts and stores them: after a code change, known records are read
 * again.
 */
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
