/**
 * `npm run check`: requirements of each package of the workspace, so that it can be read, tested and typed separately. A dependency that
 * another package happens to install does not count, because it disappears with that package.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfReasons, readManifests } from './dependencies.ts';
import { faultsOfTestHomes } from './testHomes.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const TEST_OR_BENCH = /\.test\.tsx?$|^(test|bench|bundling)\/|^vite\.config\.ts$/;
const HIDING_EXPORT = /^export (?:type )?\*(?: as \w+)? from '([^']+)'/gm;
/** Schemas of the API and tables of the store are the purpose of these packages: all their exports are public. */
const EXPORTED_WHOLE: Readonly<Record<string, string>> = {
  'packages/api': './schemas/',
  'packages/store': './tables/',
};
const IMPORTED =
  /^(?:import|export)\b[^;'"`]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)|import\.meta\.resolve\('([^']+)'\)|\burl\("([^"]+)"\)/gm;

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** @returns a sentence for each missing or unnecessary part of a package */
export function faultsOfPackages(root: string): readonly string[] {
  const shared = namesOf(readManifest(root).devDependencies);
  return globSync('packages/*/package.json', { cwd: root })
    .map((file) => dirname(file))
    .sort()
    .flatMap((folder) => faultsOf(root, folder, shared));
}

function faultsOf(root: string, folder: string, shared: ReadonlySet<string>): readonly string[] {
  const manifest = readManifest(join(root, folder));
  const declared = namesOf(manifest.dependencies, manifest.optionalDependencies);
  const forTests = new Set([...declared, ...namesOf(manifest.devDependencies), ...shared]);
  const faults: string[] = [];
  const used = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx,css}', {
    cwd: join(root, folder),
    exclude: ['node_modules/**', 'dist/**'],
  })) {
    const text = readFileSync(join(root, folder, file), 'utf8');
    const allowed = TEST_OR_BENCH.test(file) ? forTests : declared;
    for (const name of packagesIn(text)) {
      used.add(name);
      if (name !== manifest.name && !allowed.has(name))
        faults.push(`${folder}/${file}: ${name} is not declared in ${folder}/package.json`);
    }
    const whole = EXPORTED_WHOLE[folder];
    const hides = [...text.matchAll(HIDING_EXPORT)].some(
      ([, from = '']) => !whole || !from.startsWith(whole),
    );
    if (/^(src\/(index|handlers)|test\/index)\.ts$/.test(file) && hides)
      faults.push(`${folder}/${file}: "export *" hides the exports of the package; write the names out`);
  }
  for (const name of Object.keys(manifest.dependencies ?? {}))
    if (!used.has(name)) faults.push(`${folder}/package.json: ${name} is declared and not imported`);
  if (manifest.scripts?.test === undefined)
    faults.push(`${folder}/package.json: there is not a script "test"`);
  if (globSync('{src,test}/**/*.test.{ts,tsx}', { cwd: join(root, folder) }).length === 0)
    faults.push(`${folder}: a test of its own is missing`);
  if (!existsSync(join(root, folder, 'tsconfig.json'))) faults.push(`${folder}: tsconfig.json is missing`);
  return faults;
}

function packagesIn(text: string): readonly string[] {
  return [...text.matchAll(IMPORTED)]
    .map((match) => match.slice(1).find((name) => name !== undefined) as string)
    .filter((name) => /^@?[a-z]/.test(name) && !isBuiltin(name) && !name.includes(':'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

const namesOf = (...tables: readonly (Readonly<Record<string, string>> | undefined)[]): ReadonlySet<string> =>
  new Set(tables.flatMap((table) => Object.keys(table ?? {})));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..');
  const faults = [
    ...faultsOfPackages(root),
    ...faultsOfReasons(readManifests(root)),
    ...faultsOfTestHomes(root),
  ];
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
