/**
 * Measures the OpenGraph reader on nodes with a few properties, and edges between them. At scale `large` the two files have 5 GB together,
 * and memory must stay constant.
 */
import { type LongFile, type Measurement, measureLongFile } from './longFile.ts';

const BYTES = { small: 200e6, large: 2.5e9 } as const;
const OBJECTS = 2000;

export default {
  name: 'collections: OpenGraph reader',
  async run({ scale }: { readonly scale: keyof typeof BYTES }): Promise<Measurement[]> {
    return [
      await measureLongFile(fileOf('nodes', nodeObject, 0), BYTES[scale]),
      await measureLongFile(fileOf('edges', edgeObject, OBJECTS), BYTES[scale]),
    ];
  },
};

function fileOf(section: 'nodes' | 'edges', object: (n: number) => object, edges: number): LongFile {
  const objects = Array.from({ length: OBJECTS }, (_, n) => JSON.stringify(object(n)));
  return {
    name: section,
    before: `{"metadata":{"source_kind":"Forge"},"graph":{"${section}":[`,
    block: Buffer.from(objects.join(',')),
    objects: OBJECTS,
    edges,
    after: ']}}',
  };
}

function nodeObject(n: number): object {
  return {
    id: `FORGE-${n.toString(16).padStart(12, '0')}`,
    kinds: ['ForgeUser', 'Person'],
    properties: {
      name: `user${n}@forge.example`,
      displayname: `User ${n}`,
      enabled: n % 7 !== 0,
      created: 1_700_000_000 + n,
      teams: ['red', 'blue', `team-${n % 50}`],
      url: `https://forge.example/people/${n}`,
      environmentid: 'FORGE-1',
    },
  };
}

function edgeObject(n: number): object {
  return {
    kind: 'ForgeCanPush',
    start: { match_by: 'id', value: `FORGE-${n.toString(16).padStart(12, '0')}`, kind: 'ForgeUser' },
    end: { value: `FORGE-REPOSITORY-${n % 100}` },
    properties: { branch: 'main', since: 1_700_000_000 + n },
  };
}
