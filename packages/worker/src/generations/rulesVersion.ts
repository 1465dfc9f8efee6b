/**
 * The version of the rules: of all code that lies between the facts and the findings. A number that a person has to raise would
 * be forgotten; a digest changes with more than it must, which costs one analysis after an update and claims nothing false.
 */
import { join } from 'node:path';
import { digestOfCode, folderOf } from '@clew/common';

let version: string | undefined;

export function rulesVersion(): string {
  version ??= digestOfCode([
    folderOf(import.meta.resolve('@clew/model')),
    folderOf(import.meta.resolve('@clew/graph')),
    folderOf(import.meta.resolve('@clew/analysis')),
    import.meta.dirname,
    join(folderOf(import.meta.resolve('@clew/judgment')), 'findings'),
  ])
    .toString('hex')
    .slice(0, 12);
  return version;
}
