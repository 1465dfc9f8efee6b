import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { collectionText, readAll } from '../../test/index.ts';
import type { ArchiveLimits } from '../limits.ts';
import { looksLikeArchive } from '../textBlocks.ts';
import { type Archive, archiveFromFile, archiveFromReader } from './archive.ts';

const USERS = collectionText(
  'users',
  Array.from({ length: 50 }, (_, n) => ({ ObjectIdentifier: `S-1-5-21-1-${n}` })),
);
const GROUPS = collectionText('groups', [{ ObjectIdentifier: 'S-1-5-21-1-512' }]);

/** An archive like those of common tools. */
async function zipOf(
  files: Record<string, string>,
  options: { stream?: boolean; compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) {
    if (options.stream) zip.addReadStreamLazy(name, (give) => give(null, Readable.from([Buffer.from(text)])));
    else zip.addBuffer(Buffer.from(text), name, { compress: options.compress ?? true });
  }
  zip.end();
  return collect(zip.outputStream);
}

interface Forged {
  name: string;
  text?: string;
  flags?: number;
  method?: number;
  size?: number;
  crc?: number;
  compressedSize?: number;
  /** Index of the member with which it shares its bytes. */
  sharesWith?: number;
}

/** Flag of members with UTF-8 names. */
const UTF8 = 0x800;

/** An archive whose directory describes its members as the test requires. */
function forgedZip(members: readonly Forged[]): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const central = members.map((member) => {
    const text = Buffer.from(member.text ?? USERS);
    const packed = deflateRawSync(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(member.flags ?? 0, 2);
    fields.writeUInt16LE(member.method ?? 8, 4);
    fields.writeUInt32LE(member.crc ?? crc32(text), 10);
    fields.writeUInt32LE(member.compressedSize ?? packed.length, 14);
    fields.writeUInt32LE(member.size ?? text.length, 18);
    const name = Buffer.from(member.name);
    fields.writeUInt16LE(name.length, 22);
    offsets.push(member.sharesWith === undefined ? at : (offsets[member.sharesWith] as number));
    if (member.sharesWith === undefined) {
      const local = [Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed];
      parts.push(...local);
      at += local.reduce((sum, part) => sum + part.length, 0);
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offsets.at(-1) as number, 10);
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, rest, name]);
  });
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

function open(bytes: Uint8Array, limits?: Partial<ArchiveLimits>): Promise<Archive> {
  return archiveFromReader(
    bytes.length,
    async (offset, length) => bytes.subarray(offset, offset + length),
    limits,
  );
}

/** Reads every member. @returns the number of objects in each, or its fault code */
async function outcomes(
  bytes: Uint8Array,
  limits?: Partial<ArchiveLimits>,
): Promise<Record<string, number | string>> {
  await using archive = await open(bytes, limits);
  const outcomes: Record<string, number | string> = {};
  for (const { name, source, fault } of archive.members) {
    const read = source && (await readAll(source));
    outcomes[name] = fault?.code ?? read?.report.fault?.code ?? (read?.objects.length as number);
  }
  return outcomes;
}

it('skips the files that macOS and Windows add to an archive', async () => {
  const bytes = await zipOf({
    '__MACOSX/._users.json': 'x',
    '.DS_Store': 'x',
    'run/.DS_Store': 'x',
    'run/._users.json': 'x',
    'Thumbs.db': 'x',
    'run/desktop.ini': 'x',
    'run/users.json': USERS,
  });
  const archive = await archiveFromReader(bytes.length, async (offset, length) =>
    bytes.subarray(offset, offset + length),
  );
  expect(archive.members.map(({ name, fault }) => [name, fault])).toEqual([['run/users.json', undefined]]);
  await archive.close();
});

describe('an archive', () => {
  it.each([
    ['compressed', {}],
    ['stored', { compress: false }],
    ['written as a stream', { stream: true }],
  ])('returns its files when %s', async (_, options) => {
    const bytes = await zipOf({ 'run/users.json': USERS, 'groups.json': GROUPS }, options);
    expect(await outcomes(bytes)).toEqual({ 'run/users.json': 50, 'groups.json': 1 });
    expect(looksLikeArchive(bytes)).toBe(true);
  });

  it('is read from a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'archive-'));
    try {
      const path = join(directory, 'a.zip');
      await writeFile(path, await zipOf({ 'users.json': USERS }));
      await using archive = await archiveFromFile(path);
      const [member] = archive.members;
      expect(member).toMatchObject({ name: 'users.json', size: USERS.length });
      expect((await readAll(member?.source as never)).objects).toHaveLength(50);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('can be read several members at a time', async () => {
    await using archive = await open(await zipOf({ 'a_users.json': USERS, 'b_users.json': USERS }));
    const reads = await Promise.all(archive.members.map(({ source }) => readAll(source as never)));
    expect(reads.map(({ objects }) => objects.length)).toEqual([50, 50]);
  });

  it('omits directories, and reports faults of other files individually', async () => {
    const zip = new ZipFile();
    zip.addEmptyDirectory('run');
    zip.addBuffer(Buffer.from('hello'), 'read me.txt');
    zip.addBuffer(await zipOf({ 'x.json': USERS }), 'inner.zip');
    zip.addBuffer(Buffer.alloc(0), 'empty.json');
    zip.addBuffer(Buffer.from(USERS), 'users.json');
    zip.end();
    expect(await outcomes(await collect(zip.outputStream))).toEqual({
      'read me.txt': 'not-json',
      'inner.zip': 'nested-archive',
      'empty.json': 'empty',
      'users.json': 50,
    });
  });

  it('may be empty', async () => {
    expect(await outcomes(await zipOf({}))).toEqual({});
  });

  it.each([
    '../users.json',
    'a/../../users.json',
    '/etc/users.json',
    'C:/users.json',
    '..\\users.json',
    'a\nb.json',
    'a\0.json',
  ])('refuses the member name %j', async (name) => {
    const { good, ...bad } = await outcomes(forgedZip([{ name, flags: UTF8 }, { name: 'good' }]));
    expect(good).toBe(50);
    expect(Object.values(bad)).toEqual(['unsafe-name']);
    expect(Object.keys(bad).join('')).not.toMatch(/[\0-\x1f]/);
  });

  it.each([
    ['encrypted', { flags: 1 }, 'encrypted'],
    ['packed by an unknown method', { method: 12 }, 'damaged'],
    ['with a wrong checksum', { crc: 1 }, 'damaged'],
    ['larger than it says', { size: 100 }, 'damaged'],
    ['smaller than it says', { size: 100_000 }, 'damaged'],
    ['reaching beyond the archive', { compressedSize: 100_000 }, 'damaged'],
    ['cut short', { compressedSize: 50 }, 'damaged'],
    ['larger than allowed', { text: ' '.repeat(2000) }, 'too-large'],
  ])('refuses a member %s', async (_, forged, code) => {
    const bytes = forgedZip([{ name: 'good' }, { name: 'bad', ...forged }]);
    expect(await outcomes(bytes, { maxMemberBytes: USERS.length })).toMatchObject({ good: 50 });
    const limit = code === 'too-large' ? 1999 : 1e9;
    expect(await outcomes(bytes, { maxMemberBytes: limit })).toMatchObject({ bad: code });
  });

  it('refuses members that expand far more than collection files', async () => {
    const bytes = forgedZip([{ name: 'bomb.json', text: ' '.repeat(1 << 20) }, { name: 'good' }]);
    const limits = { maxRatio: 100, ratioFromBytes: 1 << 16 };
    expect(await outcomes(bytes, limits)).toEqual({ 'bomb.json': 'too-dense', good: 50 });
  });

  it('refuses members that share their bytes', async () => {
    const bytes = forgedZip([
      { name: 'one' },
      { name: 'two', sharesWith: 0 },
      { name: 'three', sharesWith: 0 },
    ]);
    expect(await outcomes(bytes)).toEqual({ one: 50, two: 'damaged', three: 'damaged' });
  });

  it('refuses members above the total size limit', async () => {
    const bytes = forgedZip([{ name: 'one' }, { name: 'two' }, { name: 'three' }]);
    const limits = { maxTotalBytes: USERS.length * 2 };
    expect(await outcomes(bytes, limits)).toEqual({ one: 50, two: 50, three: 'too-large' });
  });

  it('refuses too many members', async () => {
    await using archive = await open(forgedZip([{ name: 'one' }, { name: 'two' }]), { maxEntries: 1 });
    expect(archive.members).toEqual([]);
    expect(archive.fault).toMatchObject({ code: 'too-many-members' });
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello, world, this is not an archive'],
    ['the beginning of a header', 'PK\x03\x04'],
  ])('reports that %s is not an archive', async (_, text) => {
    await using archive = await open(Buffer.from(text, 'latin1'));
    expect(archive.fault).toMatchObject({ code: 'not-an-archive' });
    expect(archive.members).toEqual([]);
  });

  it.each([{}, { stream: true }, { compress: false }])(
    'returns the remaining members of an archive that is cut off anywhere (%j)',
    async (options) => {
      const bytes = await zipOf(
        { 'a_users.json': USERS, 'b_users.json': USERS, 'c_groups.json': GROUPS },
        options,
      );
      let most = 0;
      for (let length = 60; length < bytes.length; length += 29) {
        await using archive = await open(bytes.subarray(0, length));
        expect(archive.fault, `cut at ${length}`).toMatchObject({ code: 'cut-off-archive' });
        let objects = 0;
        for (const { source } of archive.members)
          objects += source === undefined ? 0 : (await readAll(source)).objects.length;
        expect(objects).toBeGreaterThanOrEqual(most);
        most = objects;
      }
      expect(most).toBe(101);
    },
  );

  it('survives damage at any byte', async () => {
    const bytes = await zipOf({ 'a_users.json': USERS, 'b_groups.json': GROUPS });
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0xff;
      const found = Object.values(await outcomes(damaged));
      for (const outcome of found) expect(['string', 'number']).toContain(typeof outcome);
    }
  });

  it('throws the errors of its reader', async () => {
    const failing = archiveFromReader(1000, async () => {
      throw new Error('no connection');
    });
    await expect(failing).rejects.toThrow('no connection');
    const bytes = await zipOf({ 'users.json': USERS });
    let isGone = false;
    const archive = await archiveFromReader(bytes.length, async (offset, length) => {
      if (isGone) throw new Error('no connection');
      return bytes.subarray(offset, offset + length);
    });
    isGone = true;
    await expect(readAll(archive.members[0]?.source as never)).rejects.toThrow('no connection');
  });
});
