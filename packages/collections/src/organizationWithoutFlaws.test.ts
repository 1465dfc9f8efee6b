/**
 * An organization without flaws has the same objects as the one with flaws, and no additional relationships: so any relationship that only
 * the other one has was planted. Read from the files, like by anyone who compares a plan with it.
 */
import {
  type ForestOptions,
  fileText,
  forestFiles,
  type GeneratedFile,
  generateForest,
  generatePlatforms,
  generateTenant,
} from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import { readCollection, sourceFromBytes } from './index.ts';

const textOf = (file: GeneratedFile): string => [...file.text(() => {})].join('');

interface Facts {
  /** Names by object id. */
  readonly objects: ReadonlyMap<string, unknown>;
  /** `start|kind|end`. */
  readonly edges: ReadonlySet<string>;
}

async function factsOf(files: readonly GeneratedFile[]): Promise<Facts> {
  const objects = new Map<string, unknown>();
  const edges = new Set<string>();
  for (const file of files)
    for await (const batch of readCollection(sourceFromBytes(file.name, Buffer.from(textOf(file))))) {
      for (const { nodes, edgeSets } of batch) {
        for (const { objectId, properties } of nodes)
          objects.set(objectId, properties.name ?? objects.get(objectId));
        for (const { startId, kind, endId } of edgeSets.flatMap((set) => set.edges))
          edges.add(`${startId}|${kind}|${endId}`);
      }
    }
  return { objects, edges };
}

/** A relationship that a flaw removed: a group that is no longer denied to read-only controllers, or a moved controller. */
function isUndone(edge: string, planted: readonly string[]): boolean {
  const [, kind, end] = edge.split('|') as [string, string, string];
  if (kind === 'MemberOf') return end.endsWith('-572');
  return kind === 'Contains' && planted.some((one) => one.endsWith(`|Contains|${end}`));
}

const OPTIONS: readonly ForestOptions[] = [
  { users: 300, seed: 1, shape: 1 },
  { users: 500, seed: 3, shape: 2, domains: 4 },
  ...[2, 3, 10, 17].map((seed) => ({ users: 500, seed, shape: 3 }) as const),
];

describe.each(OPTIONS)('without its flaws, the organization of %o', (options) => {
  it('has the same objects, and no additional relationships except owners that flaws replace', async () => {
    const factsWith = (flaws: 'all' | 'none') =>
      factsOf([
        ...forestFiles(generateForest({ ...options, flaws })),
        generateTenant({ ...options, flaws }).file,
      ]);
    const [all, none] = [await factsWith('all'), await factsWith('none')];
    // A local group is an object only if it has members, and the first one may be planted. A key account without its read-only controller
    // is itself a flaw.
    const lacking = [...all.objects.keys()].filter((id) => !none.objects.has(id));
    for (const id of lacking) expect(id).toMatch(/-(544|555|562|580|1103)$/);
    expect([...none.objects]).toEqual([...all.objects].filter(([id]) => !lacking.includes(id)));
    const added = [...none.edges].filter((edge) => !all.edges.has(edge));
    const planted = [...all.edges].filter((edge) => !none.edges.has(edge));
    expect(planted.length).toBeGreaterThan(10);
    // An object has one owner, and an entry for OWNER RIGHTS changes the meaning of ownership.
    const owned = new Set(
      planted.filter((edge) => /\|Owns/.test(edge)).map((edge) => edge.slice(edge.lastIndexOf('|'))),
    );
    for (const edge of added.filter((one) => !isUndone(one, planted))) {
      expect(edge).toMatch(/\|OwnsRaw\|/);
      expect(owned).toContain(edge.slice(edge.lastIndexOf('|')));
    }
  });

  it('has the same templates, CAs, controllers and computers, and the same ones responded', () => {
    const files = (flaws: 'all' | 'none') => generateForest({ ...options, flaws }).files;
    const all = files('all');
    expect(files('none').map(({ name, domain }) => [name, domain])).toEqual(
      all.map(({ name, domain }) => [name, domain]),
    );
    const answered = (flaws: 'all' | 'none') =>
      files(flaws)
        .filter(({ type }) => type === 'computers')
        .flatMap((file) => JSON.parse([...fileText(file)].join('')).data)
        .map(({ Status }: { Status: unknown }) => Status === null);
    expect(answered('none')).toEqual(answered('all'));
  });

  it('has the same platforms, and no additional steps on them', () => {
    const graphs = (flaws: 'all' | 'none') =>
      generatePlatforms({ ...options, flaws }).payloads.map((file) => JSON.parse(textOf(file)).graph);
    const [all, none] = [graphs('all'), graphs('none')];
    let planted = 0;
    for (const [at, { nodes, edges }] of none.entries()) {
      expect(nodes.map(({ id }: { id: string }) => id)).toEqual(
        all[at].nodes.map(({ id }: { id: string }) => id),
      );
      const there = new Set(all[at].edges.map((edge: unknown) => JSON.stringify(edge)));
      for (const edge of edges) expect(there).toContain(JSON.stringify(edge));
      planted += all[at].edges.length - edges.length;
    }
    expect(planted).toBeGreaterThan(1);
  });

  it('plants nothing, and lists no path', () => {
    const { flaws, route } = generateForest({ ...options, flaws: 'none' });
    expect([...flaws.values()].every((count) => count === 0)).toBe(true);
    expect(route.exists).toBe(false);
  });
});
