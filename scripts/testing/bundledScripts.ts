/**
 * The scripts of threads and processes that tests start, each bundled into a few files. The service has about 3,000 modules: a thread needs
 * most of a second of CPU time to load its modules, but a fifth of that for a bundle, and tests start thousands of threads.
 *
 * A plugin of the test runner builds the bundle when a test first loads a module that refers to such a script, as `new URL('./thread.ts',
 * import.meta.url)`, and replaces the address. `*.long.test.ts` run from the sources.
 */
import { hash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { VitestPluginContext } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');
const PLACE = join(ROOT, 'node_modules/.cache/test-scripts');
const DAY_MS = 86_400_000;

const SCRIPT = /new URL\('(\.\.?\/[^']+\.ts)',\s*import\.meta\.url\)/g;
/** Libraries of many small modules, with all their imports. Others are not bundled: some read files next to their own. */
const BUNDLED_LIBRARIES = [
  ...['typebox', 'kysely', 'jose', 'unified'],
  ...['remark-gfm', 'remark-parse', 'remark-rehype', 'rehype-raw', 'rehype-sanitize'],
  ...[
    'temporal-polyfill',
    're2js',
    'ipaddr.js',
    'yaml',
    'pg',
    'pg-copy-streams',
    'pino',
    'yauzl',
    'rrule-temporal',
  ],
];
/** Scripts that are started by other means, before a bundle exists. */
const EXCLUDED = ['packages/web/**', 'packages/store/test/sharedServers.ts'];

const THREAD = /[tT]hread\.ts$/;

/** Bundled files by the path of their script. */
type Bundle = ReadonlyMap<string, string>;

interface Transformed {
  readonly code: string;
  readonly map: null;
}

/** @param root of a repository @param place directory for bundles */
export function bundledScripts(root = ROOT, place = PLACE) {
  let bundle: Promise<Bundle> | undefined;
  return {
    name: 'clew-bundled-scripts',
    enforce: 'pre' as const,
    // The test runner caches its transformations until the file changes, but the address of the bundle is not part of the file.
    configureVitest({ defineCacheKeyGenerator }: VitestPluginContext): void {
      defineCacheKeyGenerator(({ sourceCode }) => (sourceCode.search(SCRIPT) < 0 ? undefined : false));
    },
    async transform(code: string, id: string): Promise<Transformed | undefined> {
      const [path] = id.split('?');
      if (path.includes('/node_modules/') || code.search(SCRIPT) < 0) return undefined;
      bundle ??= makeBundle(root, place);
      return { code: withBundled(code, path, await bundle), map: null };
    },
  };
}

/** Lines keep their numbers. */
const withBundled = (code: string, path: string, bundle: Bundle): string =>
  code.replaceAll(SCRIPT, (address, script: string) => {
    const file = bundle.get(resolve(dirname(path), script));
    return file === undefined ? address : `new URL('${pathToFileURL(file)}')`;
  });

/** @returns the bundle of the present sources, possibly from an earlier run */
export async function makeBundle(root: string, place: string): Promise<Bundle> {
  const sources = globSync('packages/*/{src,test}/**/*.{ts,json}', { cwd: root, exclude: EXCLUDED }).sort();
  const directory = join(place, keyOf(root, sources));
  const bundle: Bundle = new Map(
    scriptsIn(root, sources).map((script) => [script, join(directory, nameOf(root, script))]),
  );
  if (existsSync(directory)) return bundle;
  mkdirSync(place, { recursive: true });
  sweep(place);
  const draft = `${directory}-${process.pid}`;
  await writeBundle(root, bundle, draft);
  try {
    renameSync(draft, directory);
  } catch {
    // Another run was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return bundle;
}

/** A digest of sizes and times of all sources, and of installed libraries. */
function keyOf(root: string, sources: readonly string[]): string {
  const stamps = [...sources, 'package-lock.json'].map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  return hash('sha256', JSON.stringify([stamps, readFileSync(import.meta.filename, 'utf8')])).slice(0, 16);
}

function scriptsIn(root: string, sources: readonly string[]): string[] {
  const scripts = sources.flatMap((source) => {
    const path = join(root, source);
    return [...readFileSync(path, 'utf8').matchAll(SCRIPT)].map(([, script]) =>
      resolve(dirname(path), script),
    );
  });
  return [...new Set(scripts)].filter((script) => existsSync(script)).sort();
}

const nameOf = (root: string, script: string): string =>
  `${relative(root, script).replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`;

async function writeBundle(root: string, bundle: Bundle, directory: string): Promise<void> {
  const scripts = [...bundle.keys()];
  // Threads load all of their modules, which is faster from one file. Processes load parts on demand.
  const threads = scripts.filter((script) => THREAD.test(script));
  const processes = scripts.filter((script) => !THREAD.test(script));
  await writeFiles(root, bundle, directory, processes);
  for (const thread of threads) await writeFiles(root, bundle, directory, [thread]);
}

async function writeFiles(
  root: string,
  bundle: Bundle,
  directory: string,
  scripts: readonly string[],
): Promise<void> {
  if (scripts.length === 0) return;
  const input = Object.fromEntries(
    scripts.map((script) => [nameOf(root, script).replace(/\.mjs$/, ''), script]),
  );
  const build = await rolldown({
    ...{ input, cwd: root, platform: 'node', logLevel: 'silent' },
    external: (id, importer) => isInstalled(root, id, importer),
    treeshake: {
      moduleSideEffects: (id) => !isOwn(root, id) || scripts.includes(id),
      propertyReadSideEffects: false,
      unknownGlobalSideEffects: false,
    },
    plugins: [
      {
        name: 'clew-places',
        transform: (code, path) =>
          code.includes('import.meta') && !path.includes('/node_modules/')
            ? { code: withPlaces(withBundled(code, path, bundle), path), map: null }
            : null,
        renderChunk: (code) => ({ code: withBuiltins(code), map: null }),
      },
    ],
  });
  await build.write({
    ...{ dir: directory, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    codeSplitting: scripts.length > 1,
  });
  await build.close();
}

const BUILTIN = /^import\s+([^;"']+?)\s+from\s*["'](node:[\w/]+)["'];?$/gm;

/**
 * The import of a built-in module loads all its exports: that of `node:http` includes a browser's requests, which take a tenth of the start
 * of a thread.
 */
const withBuiltins = (code: string): string =>
  code.replace(BUILTIN, (_, names: string, module: string) => {
    const [, whole, named] = /^(?:\*\s*as\s+)?([\w$]+)?(?:,\s*)?(\{[^}]*\})?$/.exec(names) ?? [];
    const declared = [whole, named?.replaceAll(' as ', ': ')].filter((one) => one !== undefined);
    return declared.map((one) => `const ${one} = process.getBuiltinModule('${module}');`).join(' ');
  });

/** Code that reads files next to its own finds them at their original place. */
const withPlaces = (code: string, path: string): string =>
  code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path)))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path));

/**
 * Modules of the packages only declare, so a module whose exports a script does not use is omitted, with the contracts and libraries that
 * it loads. Otherwise, the start of a thread would take twice the time.
 */
const isOwn = (root: string, id: string): boolean =>
  /^packages\/[^/]+\/(?:src|test)\//.test(relative(root, id));

/** Whether the module is a library outside the bundle. */
function isInstalled(root: string, id: string, importer: string | undefined): boolean {
  const [, name] = /^((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/|$)/.exec(id) ?? [];
  if (name === undefined || name.startsWith('@clew/') || BUNDLED_LIBRARIES.includes(name)) return false;
  if (importer?.includes('/node_modules/')) return false;
  // A version that only one package has is not found from the place of the bundle.
  const owner = importer && /^packages\/[^/]+/.exec(relative(root, importer))?.[0];
  return owner === undefined || !existsSync(join(root, owner, 'node_modules', name));
}

function sweep(place: string): void {
  for (const name of readdirSync(place)) {
    const madeAt = statSync(join(place, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > DAY_MS) rmSync(join(place, name), { recursive: true, force: true });
  }
}
