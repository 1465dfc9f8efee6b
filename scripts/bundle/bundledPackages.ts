/** Third-party packages whose code is part of a bundle: the input of its licenses and its bill of materials. */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Relative to the root of the repository. */
  readonly directory: string;
}

const PACKAGE = /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;

/** @returns the directory of the package that contains the module; `undefined` for a source of this repository */
export const packageDirectory = (module: string): string | undefined =>
  PACKAGE.exec(module.replace(/^\0+/, '').replace(/\?.*$/, ''))?.[0];

/** @param modules paths of files @returns their packages, each once, sorted by name and version */
export function packagesOf(root: string, modules: Iterable<string>): BundledPackage[] {
  const directories = new Set<string>();
  for (const module of modules) {
    const directory = packageDirectory(module);
    if (directory !== undefined) directories.add(directory);
  }
  const packages = [...directories].map((directory): BundledPackage => {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${directory} does not say its license`);
    return { name, version, license, directory: relative(root, directory).replaceAll(sep, '/') };
  });
  const key = ({ name, version, directory }: BundledPackage) => `${name}\0${version}\0${directory}`;
  return packages.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
