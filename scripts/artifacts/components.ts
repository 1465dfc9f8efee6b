/**
 * Lists all shipped third-party components, with the texts of their licenses, as a readable file and as a bill of materials (CycloneDX 1.6)
 * for programs.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from '../bundle/bundledPackages.ts';
import { type Architecture, POSTGRES } from './runtimes.ts';

export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Package URL: type, namespace, name and version. */
  readonly purl: string;
  /** Text of the license from the package. */
  readonly text: string;
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)\b/i;

/** @returns the texts of files that look like licenses, sorted by name */
export function licenseTextIn(directory: string): string {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return textsOf(
    directory,
    names.filter((name) => LICENSE_FILE.test(name)),
  );
}

const textsOf = (directory: string, names: readonly string[]): string =>
  names
    .toSorted()
    .map((name) => readFileSync(join(directory, name), 'utf8').trim())
    .join('\n\n');

export const packageComponents = (root: string, packages: readonly BundledPackage[]): Component[] =>
  packages.map(({ name, version, license, directory }) => ({
    ...{ name, version, license },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    text:
      licenseTextIn(join(root, directory)) ||
      `The package has no file with the text of its license. Its package.json names the license ${license}.`,
  }));

export const nodeComponent = (directory: string, version: string): Component => ({
  ...{ name: 'node', version, license: 'MIT', purl: `pkg:generic/node@${version}` },
  text: licenseTextIn(directory),
});

/** The wheel also contains pgvector, which has the same license. */
export function postgresComponent(directory: string, architecture: Architecture): Component {
  const { version, wheel } = POSTGRES;
  return {
    ...{ name: 'postgresql', version, license: 'PostgreSQL AND Apache-2.0' },
    purl: `pkg:pypi/${wheel.name}@${wheel.version}?platform=${POSTGRES.platforms[architecture]}`,
    text: licensesOfWheel(directory),
  };
}

function licensesOfWheel(directory: string): string {
  const { name, version } = POSTGRES.wheel;
  const place = join(directory, `${name.replaceAll('-', '_')}-${version}.dist-info/licenses`);
  return textsOf(place, readdirSync(place));
}

/** Distinct components, sorted by name and version. */
export function sortedComponents(components: readonly Component[]): Component[] {
  const byUrl = new Map(components.map((component) => [component.purl, component]));
  return [...byUrl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

/** @returns the text of `THIRD_PARTY_LICENSES` */
export function licensesText(components: readonly Component[]): string {
  const rule = '-'.repeat(80);
  const parts = components.map(
    ({ name, version, license, text }) => `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}\n`,
  );
  return `Clew contains code and programs of others, under these licenses.\n\n${parts.join('\n')}`;
}

/** @returns a bill of materials without times and random numbers: the same components give the same bytes */
export function billOfMaterials(version: string, components: readonly Component[]): string {
  const list = components.map(({ name, version: of, license, purl }) => ({
    ...{ type: 'library', 'bom-ref': purl, name, version: of, purl },
    licenses: [{ expression: license }],
  }));
  const self = `pkg:generic/clew@${version}`;
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('hex');
  const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const document = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, serialNumber: `urn:uuid:${serial}` },
    metadata: {
      component: { type: 'application', 'bom-ref': self, name: 'clew', version, purl: self },
    },
    components: list,
    dependencies: [{ ref: self, dependsOn: list.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
