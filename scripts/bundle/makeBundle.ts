/**
 * The complete service as plain JavaScript without `node_modules`: the command `clew.mjs`, its threads, shared chunks, the web interface,
 * and the files that they read. The same sources give the same bytes.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { codeDigest } from '../../packages/intake/src/ingest/known/codeDigest.ts';
import { rulesVersion } from '../../packages/worker/src/generations/rulesVersion.ts';
import { type BundledPackage, packageDirectory, packagesOf } from './bundledPackages.ts';
import { COPIED, placesOf } from './places.ts';
import { bundledSource, refuseAddresses, UnknownAddressError, withRoot } from './sourceCode.ts';
import { sourcesDigest } from './sourcesDigest.mjs';
import { threadsOf } from './threads.ts';

/** Written into the root of the bundle, as `bundle.json`. */
export interface BundleManifest {
  readonly version: string;
  /** `sourcesDigest` of its sources. */
  readonly sources: string;
  /** Third-party packages in the code of the service. */
  readonly packages: readonly BundledPackage[];
}

/** Optional dependency of `pg`, absent unless a user installs it. */
const NOT_BUNDLED = ['pg-native'];

/** @param root of the repository, with the built interface @param out directory to replace */
export async function makeBundle(root: string, out: string): Promise<BundleManifest> {
  const packages = join(root, 'packages');
  const threads = threadsOf(root);
  const places = placesOf({ rules: rulesVersion(), code: codeDigest().toString('hex') });
  const seen = new Set<string>();
  const isOwn = (id: string): boolean => id.startsWith(packages + sep) && !id.includes('/node_modules/');
  const build = await rolldown({
    input: {
      clew: join(packages, 'cli/src/main.ts'),
      ...Object.fromEntries([...threads].map(([file, name]) => [name, file])),
    },
    ...{ cwd: root, platform: 'node', logLevel: 'warn' },
    external: [/^node:/, ...NOT_BUNDLED],
    plugins: [
      {
        name: 'clew-addresses',
        load(id) {
          if (!isOwn(id) || !id.endsWith('.ts')) return null;
          const file = relative(packages, id).replaceAll(sep, '/');
          seen.add(file);
          const own = places.filter((place) => place.file === file);
          return { code: bundledSource(readFileSync(id, 'utf8'), id, own, threads), moduleType: 'ts' };
        },
        renderChunk: (code, { fileName }) => ({ code: withRoot(code, fileName) }),
      },
    ],
    onLog(level, log, handle) {
      // Third-party packages compile their schemas, and import each other in cycles.
      if (log.code !== 'EVAL' && log.code !== 'CIRCULAR_DEPENDENCY') handle(level, log);
    },
  });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { output } = await build.write({
    ...{ dir: out, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
  });
  await build.close();
  const missing = places.filter(({ file }) => !seen.has(file));
  if (missing.length > 0)
    throw new UnknownAddressError(`not part of the bundle: ${missing.map(({ file }) => file).join(', ')}`);
  for (const [from, to] of COPIED) cpSync(join(packages, from), join(out, to), { recursive: true });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []));
  for (const [id, { code }] of modules) {
    const [, name] = /([^/\\]+)$/.exec(packageDirectory(id) ?? '') ?? [];
    if (name !== undefined) refuseAddresses(name, code ?? '');
  }
  const manifest: BundleManifest = {
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    sources: sourcesDigest(root),
    packages: packagesOf(
      root,
      modules.map(([id]) => id),
    ),
  };
  writeFileSync(join(out, 'bundle.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}
