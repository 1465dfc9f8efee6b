/** Packages of others in the web interface: the interface is built once more, and says which modules its files have. */
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { type BundledPackage, packagesOf } from '../bundle/bundledPackages.ts';

export async function webPackages(root: string): Promise<BundledPackage[]> {
  const modules = new Set<string>();
  const note = (): Plugin => ({
    name: 'clew-modules',
    generateBundle(_, files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
    },
  });
  await build({
    root: join(root, 'packages/web'),
    configFile: join(root, 'packages/web/vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
    plugins: [note()],
    worker: { format: 'es', plugins: () => [note()] },
  });
  return packagesOf(root, modules);
}
