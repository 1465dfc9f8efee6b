/**
 * Third-party libraries, with the reason for each: `why` in the `package.json` of one package that declares it. `npm run check` rejects a
 * library without a reason; `npm run docs` writes the tables of `docs/architecture.md`.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Names = Readonly<Record<string, string>>;

export interface Manifest {
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  /** Reasons by the name of the library. */
  readonly why?: Names;
}

interface Library {
  readonly name: string;
  /** Packages that declare it for users, or only for tests; the root is `.`. */
  readonly users: readonly string[];
  readonly testers: readonly string[];
  readonly reasons: readonly string[];
}

/** @returns manifests by package name; the root is `.` */
export function readManifests(root: string): ReadonlyMap<string, Manifest> {
  const files = ['package.json', ...globSync('packages/*/package.json', { cwd: root }).sort()];
  return new Map(
    files.map((file) => {
      const folder = dirname(file);
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
      return [folder === '.' ? folder : folder.slice('packages/'.length), manifest];
    }),
  );
}

/** The packages of this repository have a separate table, and types of a library are listed with it. */
const isForeign = (name: string): boolean => !/^@(?:clew|types)\//.test(name);

export function librariesOf(manifests: ReadonlyMap<string, Manifest>): readonly Library[] {
  const users = new Map<string, string[]>();
  const testers = new Map<string, string[]>();
  const reasons = new Map<string, string[]>();
  for (const [folder, manifest] of manifests) {
    const tables = [
      [users, { ...manifest.dependencies, ...manifest.optionalDependencies }],
      [testers, manifest.devDependencies ?? {}],
    ] as const;
    for (const [map, names] of tables)
      for (const name of Object.keys(names).filter(isForeign))
        map.set(name, [...(map.get(name) ?? []), folder]);
    for (const [name, why] of Object.entries(manifest.why ?? {}))
      reasons.set(name, [...(reasons.get(name) ?? []), why]);
  }
  return [...new Set([...users.keys(), ...testers.keys()])].sort().map((name) => ({
    ...{ name, users: users.get(name) ?? [], testers: testers.get(name) ?? [] },
    reasons: reasons.get(name) ?? [],
  }));
}

/** @returns a sentence for each library without exactly one reason, and for each reason without its library */
export function faultsOfReasons(manifests: ReadonlyMap<string, Manifest>): readonly string[] {
  const counts = librariesOf(manifests).flatMap(({ name, users, testers, reasons }) => {
    if (reasons.length === 1) return [];
    const folders = [...users, ...testers].join(', ');
    return reasons.length === 0
      ? [`${name} (${folders}): a reason is missing; write it into "why" of a package.json`]
      : [`${name} (${folders}): it has ${reasons.length} reasons; one is enough`];
  });
  const strangers = [...manifests].flatMap(([folder, { why = {}, ...rest }]) => {
    const declared = { ...rest.dependencies, ...rest.devDependencies, ...rest.optionalDependencies };
    return Object.keys(why)
      .filter((name) => declared[name] === undefined)
      .map((name) => `${folder}/package.json: "why" has ${name}, which is not declared there`);
  });
  return [...counts, ...strangers];
}

/** Two tables: libraries that users run, then those of tests, checks and builds. */
export function libraryTables(root: string): string {
  const libraries = librariesOf(readManifests(root));
  const table = (title: string, chosen: readonly Library[], folders: (of: Library) => readonly string[]) => [
    ...[`| ${title} | In | Why |`, '| --- | --- | --- |'],
    ...chosen.map((library) => {
      const names = folders(library).map((folder) => (folder === '.' ? 'the root' : `\`${folder}\``));
      return `| \`${library.name}\` | ${names.join(', ')} | ${library.reasons.join('; ')} |`;
    }),
  ];
  return [
    ...table(
      'Library',
      libraries.filter(({ users }) => users.length > 0),
      ({ users }) => users,
    ),
    '',
    ...table(
      'For tests, checks and builds',
      libraries.filter(({ users }) => users.length === 0),
      ({ testers }) => testers,
    ),
  ].join('\n');
}
