/** Files that a user names on the command line. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from './failure.ts';

/** @param endings of the files to use in a named directory @throws CommandError for a directory without any */
export async function givenFiles(
  directory: string,
  files: readonly string[],
  endings: readonly string[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const file of files) {
    const path = resolve(directory, file);
    if (!(await stat(path)).isDirectory()) {
      paths.push(path);
      continue;
    }
    const names = await readdir(path);
    const inside = names.filter((name) => endings.some((end) => name.toLowerCase().endsWith(end))).sort();
    if (inside.length === 0) throw new CommandError(`${path}: contains no ${endings.join(' or ')} file`);
    paths.push(...inside.map((name) => join(path, name)));
  }
  return [...new Set(paths)];
}
