/** A digest of the code in some folders, without tests: it changes with each release that changes their behavior. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param resolved result of `import.meta.resolve` for a package @returns the folder of its entry file */
export const folderOf = (resolved: string): string => dirname(fileURLToPath(resolved));

export function digestOfCode(folders: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = globSync('**/*.{ts,js}', { cwd: folder, exclude: ['**/*.test.ts'] });
    for (const file of files.sort())
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(folder, file)))
        .update('\0');
  }
  return hash.digest();
}
