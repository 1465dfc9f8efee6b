/** Lists third-party packages in the web interface: builds the interface once more, and collects the modules in its files. */
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
