/**
 * `npm run artifacts -- DIRECTORY [KIND...]` writes the files that operators install, with `SHA256SUMS`. Kinds: `tarball` (linux x64 and
 * arm64), `npm`, `deb` and `image`; default: all. The same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageComponents } from './artifacts/components.ts';
import { writeDebianPackage } from './artifacts/debianPackage.ts';
import { writeImage } from './artifacts/image.ts';
import { writeNpmPackage } from './artifacts/npmPackage.ts';
import type { Architecture } from './artifacts/runtimes.ts';
import { writeTarball } from './artifacts/tarball.ts';
import { makeTree } from './artifacts/tree.ts';
import { webPackages } from './artifacts/webPackages.ts';
import { makeBundle } from './bundle/makeBundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const KINDS = ['tarball', 'npm', 'deb', 'image'];

const [target, ...named] = process.argv.slice(2);
const kinds = named.length === 0 ? KINDS : named;
if (target === undefined || kinds.some((kind) => !KINDS.includes(kind))) {
  console.error(`npm run artifacts -- DIRECTORY [${KINDS.join('|')}]...`);
  process.exit(2);
}
const out = resolve(process.env.INIT_CWD ?? '.', target);
mkdirSync(out, { recursive: true });
/** Commit time in seconds since 1970, which is the time of all files. */
const epoch = Number(
  process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['-C', ROOT, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }),
);
const work = mkdtempSync(join(tmpdir(), 'clew-artifacts-'));
try {
  const bundle = join(work, 'lib');
  const { version, packages } = await makeBundle(ROOT, bundle);
  const components = packageComponents(ROOT, [...packages, ...(await webPackages(ROOT))]);
  const cache = join(ROOT, 'node_modules/.cache/artifacts');
  const parts = { root: ROOT, cache, bundle, version, components };
  if (kinds.includes('npm')) writeNpmPackage(parts, join(work, 'npm'), out);
  const architectures: readonly Architecture[] = ['x64', 'arm64'];
  for (const architecture of architectures) {
    if (!kinds.some((kind) => kind !== 'npm')) break;
    const name = `clew-${version}-linux-${architecture}`;
    const tree = join(work, name);
    makeTree(parts, architecture, tree);
    if (kinds.includes('tarball')) writeTarball(tree, join(out, `${name}.tar.gz`), epoch);
    const deb = { root: ROOT, tree, version, architecture, epoch };
    if (kinds.includes('deb')) writeDebianPackage(deb, join(work, 'deb'), out);
    // The base of an image consists of packages for the architecture of this machine.
    if (kinds.includes('image') && architecture === process.arch)
      console.log(`image: ${writeImage({ tree, version, architecture, epoch }, join(work, 'image'), out)}`);
    rmSync(tree, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
const files = readdirSync(out).filter((name) => /\.(tar\.gz|tgz|deb|oci\.tar)$/.test(name));
const sums = files.sort().map((name) => {
  const digest = createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');
  return `${digest}  ${name}\n`;
});
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
