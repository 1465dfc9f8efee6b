/**
 * `npm run pack -- DIRECTORY`: writes the SDK as packages that can be published, in plain JavaScript with declarations: `DIRECTORY/client`,
 * and its dependencies `DIRECTORY/api` and `DIRECTORY/model`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const VERSION = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version as string;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  model: 'Vocabulary of the Clew attack path service',
  api: 'Contract of the Clew attack path service',
  client: 'Client of the Clew attack path service',
};

const [target] = process.argv.slice(2);
if (target === undefined || target.startsWith('-')) {
  console.error('npm run pack -- DIRECTORY: say where to write');
  process.exit(2);
}
const out = resolve(target);
for (const name of ['model', 'api', 'client']) {
  rmSync(join(out, name), { recursive: true, force: true });
  pack(name);
}

function pack(name: string): void {
  const source = join(ROOT, 'packages', name);
  const directory = join(out, name);
  mkdirSync(directory, { recursive: true });
  const config = join(directory, 'tsconfig.json');
  const options = {
    // `npm run check` checks the types; checking them here would double the time.
    ...{ noEmit: false, noCheck: true, declaration: true, allowImportingTsExtensions: false },
    ...{
      rewriteRelativeImportExtensions: true,
      rootDir: join(source, 'src'),
      outDir: join(directory, 'dist'),
    },
    // Users of the SDK may not have the types of Node.
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: options,
      include: [join(source, 'src', '**', '*.ts')],
      exclude: [join(source, 'src', '**', '*.test.ts')],
    }),
  );
  execFileSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', config], {
    stdio: ['ignore', 2, 2],
    cwd: ROOT,
  });
  rmSync(config);
  const {
    name: fullName,
    license,
    type,
    exports,
    dependencies = {},
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const entries = typeof exports === 'string' ? { '.': exports } : (exports as Record<string, string>);
  const built = (file: string, ending: string) => file.replace('./src/', './dist/').replace(/\.ts$/, ending);
  const manifest = {
    name: fullName,
    version: VERSION,
    ...{ license, type },
    description: DESCRIPTIONS[name],
    engines: { node: '>=20.18.1' },
    sideEffects: false,
    files: ['dist', 'README.md'],
    exports: Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [
        entry,
        { types: built(file, '.d.ts'), default: built(file, '.js') },
      ]),
    ),
    dependencies: Object.fromEntries(
      Object.entries(dependencies as Record<string, string>).map(([dependency, range]) => [
        dependency,
        dependency.startsWith('@clew/') ? VERSION : range,
      ]),
    ),
  };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (name === 'client') cpSync(join(ROOT, 'docs', 'sdk.md'), join(directory, 'README.md'));
}
