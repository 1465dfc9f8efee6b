/**
 * Measures readers on users with 29 access entries, about 4.6 kB per object, in one thread. Budget: 120 MB/s.
 *
 * The file repeats one block of objects, so that its size takes no memory and only the reader is measured.
 */
import { PassThrough } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { archiveFromReader, type CollectionSource, readCollection, UploadValidator } from '../src/index.ts';
import { sourceOf } from './longFile.ts';

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

const ENTRIES = 29;
const BLOCK_OBJECTS = 2000;
const BLOCKS = { small: 20, large: 200 } as const;
/** Each file is read this many times, and the best time counts: the first round includes compilation. */
const ROUNDS = 3;

const META = '"meta":{"methods":521215,"type":"users","count":0,"version":6}';

export default {
  name: 'collections: reader',
  async run({ scale }: { readonly scale: keyof typeof BLOCKS }): Promise<Measurement[]> {
    const blocks = BLOCKS[scale];
    const block = Buffer.from(Array.from({ length: BLOCK_OBJECTS }, (_, n) => userText(n)).join(','));
    const metaFirst = sourceOf({ name: 'users', before: `{${META},"data":[`, block, after: ']}' }, blocks);
    const metaLast = sourceOf({ name: 'users', before: '{"data":[', block, after: `],${META}}` }, blocks);
    return [
      await measureParse(block, blocks),
      await measureRead('read, meta first', metaFirst, blocks),
      await measureRead(
        'read, meta last, with random access',
        { ...metaLast, tail: async () => Buffer.from(`],${META}}`) },
        blocks,
      ),
      await measureRead('read, meta last, as a stream', metaLast, blocks),
      await measureZip(metaLast, blocks),
      await measureCheck(metaLast),
    ];
  },
};

/** Upper limit for readers that parse every object. */
async function measureParse(block: Buffer, blocks: number): Promise<Measurement> {
  const texts = `[${block.toString('latin1')}]`;
  const began = performance.now();
  for (let count = 0; count < blocks; count++)
    expectCount('objects', JSON.parse(texts).length, BLOCK_OBJECTS);
  return measurement('JSON.parse of the objects alone', began, texts.length * blocks, BLOCK_OBJECTS * blocks);
}

async function measureRead(name: string, source: CollectionSource, blocks: number): Promise<Measurement> {
  const rounds: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOneRead(name, source, blocks));
  return rounds.sort(
    (a, b) => (b.figures['MB/s'] as number) - (a.figures['MB/s'] as number),
  )[0] as Measurement;
}

async function measureOneRead(name: string, source: CollectionSource, blocks: number): Promise<Measurement> {
  const objects = BLOCK_OBJECTS * blocks;
  const began = performance.now();
  const reading = readCollection(source);
  let edges = 0;
  for await (const batch of reading) {
    for (const { edgeSets } of batch) for (const set of edgeSets) edges += set.edges.length;
  }
  const { fault, objects: counts, bytes } = reading.report;
  if (fault !== undefined) throw new Error(fault.message);
  expectCount('objects', counts.read, objects);
  // All access entries, the primary group and the container.
  expectCount('edges', edges, objects * (ENTRIES + 2));
  return measurement(name, began, bytes, objects);
}

async function measureZip(source: CollectionSource, blocks: number): Promise<Measurement> {
  const zip = new ZipFile();
  const input = new PassThrough();
  zip.addReadStream(input, 'users.json', { compressionLevel: 1 });
  zip.end();
  const packed = collect(zip.outputStream);
  for await (const chunk of source.open()) {
    if (!input.write(chunk)) await new Promise((resolve) => input.once('drain', resolve));
  }
  input.end();
  const bytes = await packed;
  await using archive = await archiveFromReader(bytes.length, async (at, length) =>
    bytes.subarray(at, at + length),
  );
  return measureRead('read from a zip archive', archive.members[0]?.source as CollectionSource, blocks);
}

async function measureCheck(source: CollectionSource): Promise<Measurement> {
  const began = performance.now();
  const validator = new UploadValidator();
  let bytes = 0;
  for await (const chunk of source.open()) {
    validator.write(chunk);
    bytes += chunk.length;
  }
  const verdict = validator.finish();
  if ('code' in verdict) throw new Error(verdict.message);
  return measurement('check of an upload', began, bytes);
}

function measurement(name: string, began: number, bytes: number, objects?: number): Measurement {
  const seconds = (performance.now() - began) / 1000;
  return {
    name,
    figures: {
      MB: Math.round(bytes / 1e6),
      'MB/s': Math.round(bytes / 1e6 / seconds),
      ...(objects === undefined ? {} : { 'objects/s': Math.round(objects / seconds) }),
      'peak memory (MB)': Math.round(process.resourceUsage().maxRSS / 1024),
    },
  };
}

function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${found} ${what} instead of ${expected}`);
}

const DOMAIN = 'S-1-5-21-2697957641-2271029196-387917394';
const RIGHTS = [
  'GenericAll',
  'WriteDacl',
  'WriteOwner',
  'GenericWrite',
  'AddKeyCredentialLink',
  'AllExtendedRights',
];

function userText(number: number): string {
  const aces = Array.from({ length: ENTRIES }, (_, entry) => ({
    PrincipalSID: `${DOMAIN}-${500 + ((number * 7 + entry * 13) % 3000)}`,
    PrincipalType: entry % 3 === 0 ? 'User' : 'Group',
    RightName: RIGHTS[entry % RIGHTS.length],
    IsInherited: entry % 2 === 0,
  }));
  return JSON.stringify({
    AllowedToDelegate: [],
    PrimaryGroupSID: `${DOMAIN}-513`,
    HasSIDHistory: [],
    SPNTargets: [],
    Properties: {
      domain: 'PHANTOM.CORP',
      name: `USER${number}@PHANTOM.CORP`,
      distinguishedname: `CN=USER${number},OU=USERS,OU=TIER2,DC=PHANTOM,DC=CORP`,
      domainsid: DOMAIN,
      whencreated: 1_700_000_000 + number,
      enabled: true,
      admincount: false,
      lastlogon: 0,
      pwdlastset: 1_700_000_000,
      serviceprincipalnames: [],
      displayname: `User ${number}`,
      email: null,
      description: null,
    },
    Aces: aces,
    ObjectIdentifier: `${DOMAIN}-${10_000 + number}`,
    IsDeleted: false,
    IsACLProtected: false,
    ContainedBy: { ObjectIdentifier: 'ABCDEF01-1111-2222-3333-444455556666', ObjectType: 'OU' },
  });
}
