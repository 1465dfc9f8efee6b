/** Files that a user names on the command line. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from './failure.ts';

/** Names of files and folders in a directory that are not used; hidden ones are not among them. */
type NoteUnused = (directory: string, names: readonly string[]) => void;

const IN_WORDS = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** @param endings of the files to use in a named directory @throws CommandError for a directory without any */
export async function givenFiles(
  directory: string,
  files: readonly string[],
  endings: readonly string[],
  noteUnused: NoteUnused = () => {},
): Promise<string[]> {
  const paths: string[] = [];
  for (const file of files) {
    const path = resolve(directory, file);
    if (!(await stat(path)).isDirectory()) {
      paths.push(path);
      continue;
    }
    const names = (await readdir(path)).sort();
    const isUsed = (name: string): boolean => endings.some((end) => name.toLowerCase().endsWith(end));
    const inside = names.filter(isUsed);
    if (inside.length === 0) throw new CommandError(`${path}: contains no ${IN_WORDS.format(endings)} file`);
    const unused = names.filter((name) => !isUsed(name) && !name.startsWith('.'));
    if (unused.length > 0) noteUnused(path, unused);
    paths.push(...inside.map((name) => join(path, name)));
  }
  return [...new Set(paths)];
}
