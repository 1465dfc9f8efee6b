/**
 * `npm run check`: tests and their support are in the places that CONTRIBUTING.md defines. `packages/X/src` contains the product and tests
 * next to it; support of tests is in `packages/X/test`; a test in `packages/service` concerns several capabilities.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const TEST = /\.test\.tsx?$/;
const SUPPORT_FOLDER = /(?:^|\/)(?:testing|tests?|fixtures|mocks)\/|(?:^|\/)testing\.tsx?$/;
const IMPORTED =
  /^(?:import|export)\b[^;'"`]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
/** Modules that only tests import. */
const FOR_TESTS = /^(?:vitest|fast-check|@clew\/\w+\/testing)$|(?:^|\/)test\//;

/** Packages that a test of any other package may also use: words, data and storage. */
const COMMON = new Set([
  'model',
  'graph',
  'embedded',
  'synthetic',
  'analysis',
  'api',
  'store',
  'generation',
  'common',
]);
/** Files that start the service: in a separate process, or in that of the test. */
const STARTS_SERVICE = /^packages\/service\/(?:src\/main|test\/processes\/clewProcess)\.ts$/;

/** @param root of the repository @returns a sentence for each misplaced file */
export function faultsOfTestHomes(root: string): readonly string[] {
  return [...supportInSources(root), ...guestsOfService(root)];
}

function supportInSources(root: string): readonly string[] {
  return globSync('packages/*/src/**/*', { cwd: root, exclude: (name) => name === 'node_modules' })
    .map(plain)
    .filter((file) => /\.\w+$/.test(file) && !TEST.test(file))
    .sort()
    .flatMap((file) => {
      const [, name, path] = /^packages\/([^/]+)\/src\/(.*)$/.exec(file) as unknown as [
        string,
        string,
        string,
      ];
      const isSupport = SUPPORT_FOLDER.test(path) || importsOf(root, file).some((one) => FOR_TESTS.test(one));
      return isSupport ? [`${file}: support of tests belongs into packages/${name}/test`] : [];
    });
}

/** Tests in `service` that use one capability, and that call its functions directly or do not start the service. */
function guestsOfService(root: string): readonly string[] {
  return globSync('packages/service/{src,test}/**/*.test.ts', { cwd: root })
    .map(plain)
    .sort()
    .flatMap((file) => {
      const named = importsOf(root, file).filter((one) => one.startsWith('@clew/'));
      const product = capabilitiesOf(named.filter((one) => !one.endsWith('/testing')));
      const all = capabilitiesOf(named);
      const [only] =
        product.length === 1 ? product : all.length === 1 && !startsService(root, file) ? all : [];
      return only === undefined ? [] : [`${file}: this test is about packages/${only}, and belongs there`];
    });
}

const capabilitiesOf = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.split('/')[1] as string).filter((name) => !COMMON.has(name))),
];

function startsService(root: string, file: string, seen = new Set<string>()): boolean {
  if (STARTS_SERVICE.test(file)) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(root, file)
    .filter((one) => one.startsWith('.'))
    .some((one) => startsService(root, plain(normalize(join(dirname(file), one))), seen));
}

function importsOf(root: string, file: string): readonly string[] {
  if (!/\.tsx?$/.test(file) || !existsSync(join(root, file))) return [];
  return [...readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)].map(
    (match) => match.slice(1).find((name) => name !== undefined) as string,
  );
}

const plain = (path: string): string => path.replaceAll('\\', '/');
