/** Organizations whose plans are proven: generated ones, and archives of collections. */
import { archiveFromFile } from '@clew/collections';
import { type FlawChoice, fileText, generateForest, generateTenant } from '@clew/synthetic';

export interface CollectedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Organization {
  readonly name: string;
  readonly files: () => Promise<CollectedFile[]>;
}

export interface Generated {
  readonly users: number;
  readonly seed: number;
  readonly domains?: number;
  readonly shape: 1 | 2 | 3;
  readonly flaws?: FlawChoice;
  /** With the tenant of the forest, unless false. */
  readonly hasTenant?: boolean;
}

/** The day on which the figures of small sets were measured; times in the files follow from it. */
export const COLLECTED_AT = Date.UTC(2026, 10, 24) / 1000;

/** @returns the files that `clew generate` writes */
export function generated(options: Generated): Organization {
  const { users, seed, domains, shape, hasTenant = true } = options;
  const told = domains === undefined ? '' : ` --domains ${domains}`;
  return {
    name: `--users ${users} --seed ${seed}${told} --shape ${shape}`,
    files: async () => {
      const asked = { ...options, collectedAt: COLLECTED_AT };
      const forest = generateForest(asked).files.map((file, at) => ({
        name: `${at}-${file.name}`,
        type: file.type,
        bytes: Buffer.from([...fileText(file)].join('')),
      }));
      if (!hasTenant) return forest;
      const { file } = generateTenant(asked);
      return [
        ...forest,
        { name: file.name, type: 'azure', bytes: Buffer.from([...file.text(() => {})].join('')) },
      ];
    },
  };
}

/** @throws Error if a part of the archive cannot be read */
export function archived(path: string): Organization {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    files: async () => {
      await using archive = await archiveFromFile(path);
      if (archive.fault !== undefined) throw new Error(`${path}: ${archive.fault.message}`);
      const files: CollectedFile[] = [];
      for (const { name, source, fault } of archive.members) {
        if (source === undefined) throw new Error(`${path}: ${name}: ${fault?.message}`);
        const pieces: Uint8Array[] = [];
        for await (const piece of source.open()) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        files.push({ name, type: String(recordsOf(bytes).meta.type), bytes });
      }
      return files;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: files are changed as a person would, without their types.
type Json = any;

/** @returns the file as JSON, with or without a byte order mark */
export const recordsOf = (bytes: Buffer): { readonly data: Json[]; readonly meta: Json } =>
  JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));

/** The organizations that `npm run prove` uses by default: 1,000 to 10,000 users, in both shapes with variation. */
export const DEFAULT_ORGANIZATIONS: readonly Generated[] = [
  { users: 1000, seed: 1, shape: 2 },
  { users: 1200, seed: 31, domains: 6, shape: 2 },
  { users: 2000, seed: 5, domains: 1, shape: 2 },
  { users: 3000, seed: 22, domains: 3, shape: 2 },
  { users: 5000, seed: 8, domains: 10, shape: 2 },
  { users: 8000, seed: 20, domains: 6, shape: 2 },
  { users: 1000, seed: 4, shape: 3 },
  { users: 1500, seed: 12, shape: 3 },
  { users: 2500, seed: 3, shape: 3 },
  { users: 4000, seed: 16, shape: 3 },
  { users: 6000, seed: 14, domains: 5, shape: 3 },
  { users: 10_000, seed: 28, shape: 3 },
];
