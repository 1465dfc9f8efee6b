/** Stands for the code that makes facts of records and keeps them: with other code a known record is read again. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directoryOf = (module: string): string => dirname(fileURLToPath(import.meta.resolve(module)));

let digest: Buffer | undefined;

export function codeDigest(): Buffer {
  digest ??= digestOf([
    directoryOf('@clew/collections'),
    directoryOf('@clew/model'),
    dirname(import.meta.dirname),
  ]);
  return digest;
}

function digestOf(directories: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const directory of directories) {
    const files = globSync('**/*.{ts,js}', { cwd: directory, exclude: ['**/*.test.ts', '**/testing/**'] });
    for (const file of files.sort())
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(directory, file)))
        .update('\0');
  }
  return hash.digest();
}
