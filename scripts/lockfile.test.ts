import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

/** The places in which Node.js searches for a dependency of the package at `path`, nearest first. */
function* placesOf(path: string, name: string): Generator<string> {
  for (let at = path; ; at = at.replace(/(^|\/)(node_modules\/(@[^/]+\/)?[^/]+|[^/]+)$/, '')) {
    yield at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (at === '') return;
  }
}

/**
 * `npm ci` rejects a lock file that lacks a package of any platform, and a registry may temporarily lack one after a release. The
 * installation that writes the lock file does not detect this; the next clean clone does.
 */
it('the lock file has every dependency, for every platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => ![...placesOf(path, name)].some((place) => place in lock.packages))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});
