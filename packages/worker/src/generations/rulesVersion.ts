/**
 * The version of the rules: a digest of all code between the facts and the findings. Developers would forget to increase a number; a digest
 * changes more often than necessary, which only costs one analysis after an update.
 */
import { join } from 'node:path';
import { digestOfCode, folderOf } from '@clew/common';

let version: string | undefined;

export function rulesVersion(): string {
  version ??= digestOfCode([
    folderOf(import.meta.resolve('@clew/model')),
    folderOf(import.meta.resolve('@clew/graph')),
    folderOf(import.meta.resolve('@clew/analysis')),
    folderOf(import.meta.resolve('@clew/planning')),
    import.meta.dirname,
    join(folderOf(import.meta.resolve('@clew/judgment')), 'findings'),
  ])
    .toString('hex')
    .slice(0, 12);
  return version;
}
