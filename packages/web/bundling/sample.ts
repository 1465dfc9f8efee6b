/** A made-up company as a collection, for those who have none at hand. Made when the interface is built. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forestFiles, generateForest, generateTenant, writeZip } from '@clew/synthetic';
import type { Plugin } from 'vite';

const USERS = 300;

export function sample(): Plugin {
  return {
    name: 'sample',
    apply: 'build',
    async buildStart() {
      const directory = await mkdtemp(join(tmpdir(), 'clew-sample-'));
      try {
        const collectedAt = Math.floor(Date.now() / 86_400_000) * 86_400;
        const options = { users: USERS, seed: 1, collectedAt };
        const files = [...forestFiles(generateForest(options)), generateTenant(options).file];
        const archive = join(directory, 'sample.zip');
        await writeZip(files, archive);
        this.emitFile({ type: 'asset', fileName: 'sample.zip', source: await readFile(archive) });
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  };
}
