import type { ObjectFacts } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectionText, readAll, readObjects, textSource } from '../test/index.ts';
import { readCollection } from './readCollection.ts';
import { type CollectionSource, sourceFromBytes } from './source.ts';

function user(number: number, more: object = {}): object {
  return {
    Properties: { name: `user${number}@x` },
    Aces: [],
    ObjectIdentifier: `S-1-5-21-1-${number}`,
    ...more,
  };
}

/** Ids of the objects read. */
async function idsOf(source: CollectionSource, limits = {}): Promise<(string | undefined)[]> {
  const { objects } = await readAll(source, { limits });
  return objects.map(({ nodes }) => nodes[0]?.objectId);
}

const TWO = [user(1), user(2)];
const TWO_IDS = ['S-1-5-21-1-1', 'S-1-5-21-1-2'];

/** The same value with shuffled members in all objects. */
function shuffleMembers(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleMembers(item, next));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([name, item]) => [next(), name, shuffleMembers(item, next)] as const,
  );
  members.sort(([a], [b]) => a - b);
  return Object.fromEntries(members.map(([, name, item]) => [name, item]));
}

/** A file of users with objects given as text. */
function usersOf(...objects: readonly string[]): string {
  return `{"data":[${objects.join(',')}],"meta":{"type":"users","version":6}}`;
}

describe('readCollection', () => {
  it('reports the type of the file and the outcome of its objects', async () => {
    const text = collectionText('users', TWO, { methods: 64, collectorversion: '2.5.0' });
    const { objects, report } = await readAll(textSource(text, 'my users.json'));
    expect(objects).toHaveLength(2);
    expect(report).toEqual({
      name: 'my users.json',
      format: 'sharphound',
      type: 'users',
      version: 6,
      methods: 64n,
      collectorVersion: '2.5.0',
      bytes: text.length,
      objects: { read: 2, repaired: 0, rejected: 0 },
      issues: [],
      issuesOmitted: 0,
      fault: undefined,
    });
  });

  it('reads the same facts whatever the order of members and the chunks of the file', async () => {
    const objects = Array.from({ length: 30 }, (_, n) =>
      user(n, {
        Aces: [
          {
            PrincipalSID: `S-1-5-21-9-${n}`,
            PrincipalType: 'User',
            RightName: 'GenericAll',
            IsInherited: false,
          },
        ],
      }),
    );
    const meta = '{"type":"users","version":6,"methods":521215}';
    const expected = await readObjects('users', objects, { methods: 521_215 });
    expect(expected.objects).toHaveLength(30);
    const texts = fc.constantFrom(
      `{"meta":${meta},"data":${JSON.stringify(objects)}}`,
      `{"data":${JSON.stringify(objects, null, 2)},"meta":${meta}}`,
      `\ufeff{"data":${JSON.stringify(objects)}, "other":{"meta":{}}, "meta":${meta}}`,
    );
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.integer({ min: 1, max: 5000 }),
        fc.boolean(),
        async (text, size, hasTail) => {
          const bytes = Buffer.from(text);
          const whole = sourceFromBytes('users.json', bytes);
          const source: CollectionSource = {
            name: 'users.json',
            async *open() {
              for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
            },
            tail: hasTail ? whole.tail : undefined,
          };
          expect((await readAll(source)).objects).toEqual(expected.objects);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads the same facts whatever the order of members inside the objects', async () => {
    const principal = { ObjectIdentifier: 'S-2', ObjectType: 'User' };
    const computer = {
      Properties: { name: 'c@x', unconstraineddelegation: true, domainsid: 'S-D' },
      PrimaryGroupSID: 'S-G',
      AllowedToAct: [principal],
      Sessions: {
        Collected: true,
        FailureReason: null,
        Results: [{ ComputerSID: 'S-1-5-1', UserSID: 'S-1-5-2' }],
      },
      LocalGroups: [
        { Collected: true, ObjectIdentifier: 'S-1-5-21-9-544', Name: 'A@X', Results: [principal] },
      ],
      UserRights: [{ Collected: true, Privilege: 'SeRemoteInteractiveLogonRight', Results: [principal] }],
      IsDC: false,
      Aces: [{ PrincipalSID: 'S-2', PrincipalType: 'User', RightName: 'Owns', IsInherited: false }],
      ObjectIdentifier: 'S-1-5-1',
      ContainedBy: { ObjectIdentifier: 'OU', ObjectType: 'OU' },
    };
    const { objects } = await readObjects('computers', [computer]);
    expect(objects[0]?.edgeSets).toHaveLength(9);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (order) => {
        const shuffled = shuffleMembers(computer, () => order.next().value as number);
        expect((await readObjects('computers', [shuffled])).objects).toEqual(objects);
      }),
      { numRuns: 50 },
    );
  });

  it('delivers batches when they are full', async () => {
    const objects = Array.from({ length: 3000 }, (_, n) =>
      user(n, { Properties: { description: 'x'.repeat(1000) } }),
    );
    const sizes: number[] = [];
    const source = textSource(collectionText('users', objects));
    for await (const batch of readCollection(source, { limits: { batchObjects: 200 } }))
      sizes.push(batch.length);
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3000);
    expect(sizes.slice(0, -1).every((size) => size >= 200 && size < 600)).toBe(true);
  });

  it('delivers a batch as soon as it reaches the limit of objects or bytes', async () => {
    // Each object is larger than a block, so no block contains the ends of two.
    const large = (n: number) => user(n, { Properties: { description: 'x'.repeat(600_000) } });
    const objects = Array.from({ length: 7 }, (_, n) => large(n));
    const text = collectionText('users', objects);
    const sizesOf = async (limits: object): Promise<number[]> => {
      const sizes: number[] = [];
      for await (const batch of readCollection(textSource(text), { limits })) sizes.push(batch.length);
      return sizes;
    };
    expect(await sizesOf({ batchObjects: 3 })).toEqual([3, 3, 1]);
    expect(await sizesOf({ batchObjects: 7 })).toEqual([7]);
    expect(await sizesOf({ batchBytes: 2 * JSON.stringify(large(1)).length })).toEqual([2, 2, 2, 1]);
  });

  it('reads every kind of text encoding', async () => {
    const text = collectionText('users', TWO);
    expect(await idsOf(sourceFromBytes('u.json', Buffer.from(`\ufeff${text}`)))).toEqual(TWO_IDS);
    expect(await idsOf(sourceFromBytes('u.json', Buffer.from(`\ufeff${text}`, 'utf16le')))).toEqual(TWO_IDS);
  });

  it('throws the errors of the source, and stops on request', async () => {
    const source: CollectionSource = {
      ...textSource(collectionText('users', TWO)),
      async *open() {
        yield Buffer.from('{"meta":{"type":"users"},"data":[');
        throw new Error('no connection');
      },
    };
    await expect(readAll(source)).rejects.toThrow('no connection');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(readAll(textSource(collectionText('users', TWO)), { signal })).rejects.toThrow('stopped');
  });

  it('keeps a note that many objects share once', async () => {
    const ace = { PrincipalSID: 'S-1-5-21-9-1', PrincipalType: 'User', RightName: 'Fly', IsInherited: false };
    const { report } = await readObjects('users', [
      user(1, { Aces: [ace, ace] }),
      user(2),
      user(3, { Aces: [ace] }),
    ]);
    expect(report.objects).toEqual({ read: 3, repaired: 0, rejected: 0 });
    expect(report.issues).toEqual([
      {
        severity: 'note',
        index: 0,
        offset: 9,
        object: 'S-1-5-21-1-1',
        reason: 'the right "Fly" is unknown; entries with it were skipped',
        count: 2,
      },
    ]);
  });

  it('keeps the first issues and counts the rest', async () => {
    const { report } = await readAll(textSource(collectionText('users', [1, 2, 3, 4, 5])), {
      limits: { maxIssues: 2 },
    });
    expect(report.issues.map(({ index }) => index)).toEqual([0, 1]);
    expect(report.issuesOmitted).toBe(3);
    expect(report.objects.rejected).toBe(5);
  });
});

describe('invalid input', () => {
  it.each([
    ['an object that is not JSON', '{"ObjectIdentifier":tru}', 'it is not valid JSON'],
    ['an object without an identifier', '{"Properties":{"name":"x"}}', 'it has no identifier'],
    ['an object with a null identifier', '{"ObjectIdentifier":null}', 'it has no identifier'],
    ['a text in place of an object', '"S-1-5"', 'it is not a JSON object'],
    ['a list in place of an object', '[{}]', 'it is not a JSON object'],
    ['null in place of an object', 'null', 'it is not a JSON object'],
    ['a NUL byte', '{"ObjectIdentifier":"S-1\u0000"}', 'it is not valid JSON'],
    ['a line end in a string', '{"ObjectIdentifier":"S-1\n"}', 'it is not valid JSON'],
    [
      'nesting 10,000 deep',
      `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      'it is nested deeper than 512 levels',
    ],
  ])('rejects %s and keeps the other objects', async (_, bad, reason) => {
    const text = usersOf(JSON.stringify(TWO[0]), bad, JSON.stringify(TWO[1]));
    const { objects, report } = await readAll(textSource(text));
    expect(objects.map(({ nodes }) => nodes[0]?.objectId)).toEqual(TWO_IDS);
    expect(report.fault).toBeUndefined();
    expect(report.objects).toEqual({ read: 2, repaired: 0, rejected: 1 });
    expect(report.issues).toMatchObject([{ severity: 'rejected', index: 1, reason }]);
    expect(report.issues[0]?.offset).toBeGreaterThanOrEqual(text.indexOf(bad));
  });

  it('rejects an object with invalid UTF-8 and reports the position', async () => {
    const [before, after] = usersOf(
      JSON.stringify(TWO[0]),
      '{"ObjectIdentifier":"S-1-§"}',
      JSON.stringify(TWO[1]),
    ).split('§');
    const bytes = Buffer.concat([
      Buffer.from(before as string),
      Buffer.from([0xc3]),
      Buffer.from(after as string),
    ]);
    const { objects, report } = await readAll(sourceFromBytes('u.json', bytes));
    expect(objects).toHaveLength(2);
    const offset = before?.length;
    expect(report.issues).toMatchObject([
      { severity: 'rejected', index: 1, offset, reason: 'the text is not valid UTF-8' },
    ]);
  });

  it('rejects a string of 200 MB without keeping it in memory', async () => {
    const megabyte = Buffer.alloc(1 << 20, 'x');
    const source: CollectionSource = {
      name: 'users.json',
      async *open() {
        yield Buffer.from(`{"meta":{"type":"users"},"data":[${JSON.stringify(TWO[0])},{"ObjectIdentifier":"`);
        for (let count = 0; count < 200; count++) yield megabyte;
        yield Buffer.from(`"},${JSON.stringify(TWO[1])}]}`);
      },
    };
    const before = process.memoryUsage().rss;
    const { objects, report } = await readAll(source, { limits: { maxObjectBytes: 16 << 20 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
    expect(objects).toHaveLength(2);
    expect(report.issues).toMatchObject([{ index: 1, reason: 'it is larger than 16777216 bytes' }]);
  });

  it('rejects an object with a string above the limit', async () => {
    const long = user(3, { Properties: { description: 'x'.repeat(2000) } });
    const { objects, report } = await readAll(textSource(collectionText('users', [TWO[0], long, TWO[1]])), {
      limits: { maxStringBytes: 1000 },
    });
    expect(objects).toHaveLength(2);
    expect(report.issues).toMatchObject([{ index: 1, reason: 'a string in it is longer than 1000 bytes' }]);
  });

  it('replaces characters that cannot be stored', async () => {
    const { objects, report } = await readAll(
      textSource(usersOf('{"ObjectIdentifier":"S-1","Properties":{"description":"a\\u0000b"}}')),
    );
    expect(objects[0]?.nodes[0]?.properties).toEqual({ description: 'a\ufffdb' });
    expect(report.objects.repaired).toBe(1);
  });

  it('keeps the objects before the end of a file that is cut off anywhere', async () => {
    const text = usersOf(...TWO.map((object) => JSON.stringify(object)));
    const ends = TWO.map((object) => text.indexOf(JSON.stringify(object)) + JSON.stringify(object).length);
    for (let length = 0; length < text.length; length++) {
      const { objects, report } = await readAll(textSource(text.slice(0, length), 'users.json'));
      expect(report.fault, `cut at ${length}`).toMatchObject({
        code: length === 0 ? 'empty' : 'truncated',
        offset: length,
      });
      expect(objects).toHaveLength(ends.filter((end) => end <= length).length);
    }
  });

  it('does not treat objects as deleted that a truncated file lacks', async () => {
    const whole = JSON.stringify(user(1, { Members: [] }));
    const { objects, report } = await readAll(textSource(`{"data":[${whole},{"Obj`, 'groups.json'));
    expect(objects[0]?.edgeSets).toEqual([]);
    expect(report.issues[0]?.reason).toBe(
      'the file ends before meta; its name indicates that it contains groups',
    );
  });

  it('reads the objects before a fault of the structure', async () => {
    const { objects, report } = await readAll(
      textSource(`{"meta":{"type":"users"},"data":[${JSON.stringify(TWO[0])} ${JSON.stringify(TWO[1])}]}`),
    );
    expect(objects).toHaveLength(1);
    expect(report.fault).toMatchObject({ code: 'not-json' });
    expect(report.fault?.message).toBe(
      "file is not valid json: '{' where a comma or the end of the array should be",
    );
  });

  it.each([
    ['an empty file', '', 'empty'],
    ['white space', ' \n', 'empty'],
    ['a text file', 'hello', 'not-json'],
    ['a graph in addition to data', usersOf().replace('{"data"', '{"graph":{},"data"'), 'mixed-formats'],
    ['an unknown type', '{"data":[],"meta":{"type":"printers"}}', 'unknown-type'],
    ['a file of local groups', '{"data":[],"meta":{"type":"localgroups"}}', 'no-reader'],
    ['an archive', 'PK\u0003\u0004', 'nested-archive'],
    ['something behind the document', `${usersOf()}x`, 'not-json'],
    ['a member twice', '{"data":[],"meta":{"type":"users"},"meta":{"type":"users"}}', 'repeated-member'],
  ])('reports the fault of %s', async (_, text, code) => {
    expect((await readAll(textSource(text))).report.fault).toMatchObject({ code });
  });

  it('reads the other members if one has the wrong type', async () => {
    const wrong = user(1, { Aces: 'none', PrimaryGroupSID: 513, AllowedToDelegate: [7], ContainedBy: 7 });
    const { objects, report } = await readObjects('users', [wrong]);
    expect(objects[0]?.nodes[0]?.objectId).toBe('S-1-5-21-1-1');
    expect(objects[0]?.edgeSets).toEqual([]);
    expect(report.objects).toEqual({ read: 0, repaired: 1, rejected: 0 });
    expect(report.issues.map(({ reason }) => reason)).toEqual([
      '"Aces" is not a list',
      '"ContainedBy" is not an object',
      '"PrimaryGroupSID" is not text',
      'an entry of "AllowedToDelegate" is not an object',
    ]);
  });

  it('handles any JSON as any object of any type', async () => {
    const names = [
      'ObjectIdentifier',
      'Properties',
      'Aces',
      'Members',
      'Trusts',
      'LocalGroups',
      'CARegistryData',
      'GPOChanges',
      'Links',
      'UserRights',
      'Sessions',
      'NTLMRegistryData',
      'DCRegistryData',
      'HttpEnrollmentEndpoints',
      'SPNTargets',
      'ContainedBy',
      'GroupLink',
      'Collected',
      'Results',
      'Result',
      'Value',
      'Data',
      '__proto__',
      'name',
    ];
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('any'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 8 }),
    }));
    const types = [
      'users',
      'groups',
      'computers',
      'domains',
      'gpos',
      'ous',
      'containers',
      'sessions',
      'aiacas',
      'rootcas',
      'enterprisecas',
      'ntauthstores',
      'certtemplates',
      'issuancepolicies',
      'sites',
      'siteservers',
      'sitesubnets',
      'deleted',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), fc.array(any, { maxLength: 5 }), async (type, values) => {
        const objects = values.map((value) =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? { ObjectIdentifier: 'S-1', ...value }
            : value,
        );
        const { objects: read, report } = await readObjects(type, objects);
        expect(report.fault).toBeUndefined();
        const counts = report.objects;
        expect(counts.read + counts.repaired + counts.rejected).toBe(objects.length);
        expect(read.length).toBe(counts.read + counts.repaired);
        for (const { nodes, edgeSets } of read) {
          for (const { objectId } of nodes) expect(objectId).not.toBe('');
          for (const { startId, endId } of edgeSets.flatMap(({ edges }) => edges)) {
            expect(startId).not.toBe('');
            expect(endId).not.toBe('');
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('objects recognized by their bytes', () => {
  const context = new Uint8Array([1]);

  /** @returns the requested digests while the file was read, and the delivered objects */
  async function readKnowing(text: string, isKnown: (asked: number) => boolean) {
    const digests: string[] = [];
    const known = {
      context,
      passes: (digest: Uint8Array) => isKnown(digests.push(Buffer.from(digest).toString('hex')) - 1),
    };
    const reading = readCollection(textSource(text), { known });
    const objects: ObjectFacts[] = [];
    for await (const batch of reading) objects.push(...batch);
    return { digests, objects, report: reading.report };
  }

  it('count as read and are skipped', async () => {
    const { objects, report } = await readKnowing(collectionText('users', TWO), (asked) => asked === 0);
    expect(objects.map(({ nodes }) => nodes[0]?.objectId)).toEqual([TWO_IDS[1]]);
    expect(report.objects).toEqual({ read: 2, repaired: 0, rejected: 0 });
  });

  it('are identified by their bytes and by the header of their file', async () => {
    const never = () => false;
    const of = async (text: string) => (await readKnowing(text, never)).digests;
    const [first, second] = await of(collectionText('users', TWO));
    expect(first).not.toBe(second);
    expect(await of(collectionText('users', [user(2), user(1)]))).toEqual([second, first]);
    expect(await of(collectionText('users', TWO, { methods: 64 }))).not.toContain(first);
  });

  it('provide their digest only if they have no fault', async () => {
    const faulty = user(2, { Aces: 'none' });
    const { objects, digests } = await readKnowing(collectionText('users', [user(1), faulty]), () => false);
    expect(objects.map(({ digest }) => digest && Buffer.from(digest).toString('hex'))).toEqual([
      digests[0],
      undefined,
    ]);
  });

  it('are not looked up in OpenGraph, whose objects are small', async () => {
    const text = JSON.stringify({ graph: { nodes: [{ id: 'a', kinds: ['Thing'] }], edges: [] } });
    const { digests, objects } = await readKnowing(text, () => true);
    expect(digests).toEqual([]);
    expect(objects).toHaveLength(1);
  });
});

describe('the report of files with minor faults', () => {
  it('names unknown members of metadata, and reads the graph', async () => {
    const text =
      '{"metadata":{"source_kind":"S","sourcekind":"x","version":2},"graph":{"nodes":[{"id":"a","kinds":["A"]}]}}';
    const { objects, report } = await readAll(textSource(text));
    expect(objects).toHaveLength(1);
    expect(report.issues).toMatchObject([
      {
        severity: 'note',
        reason: 'unknown members of metadata were ignored: "sourcekind", "version"',
      },
    ]);
  });

  it.each([
    '{"users":[{"Properties":{}}],"meta":{"type":"users","count":1,"version":3}}',
    '{"meta":{"type":"users","count":1,"version":3},"users":[]}',
  ])('names format 3: %s', async (text) => {
    const { report } = await readAll(textSource(text));
    expect(report.fault?.message).toMatch(
      /^no data tag found: the file is of format 3, which has its objects in "users"/,
    );
  });

  it('keeps one issue for each repair reason, however many objects have it', async () => {
    const users = Array.from({ length: 500 }, (_, n) => ({
      ObjectIdentifier: `S-1-5-21-1-${n}`,
      Properties: {},
      AllowedToDelegate: n % 2 === 0 ? 'text' : [7],
    }));
    const { report } = await readAll(textSource(collectionText('users', users)));
    expect(report.issues.map(({ severity, reason, count }) => [severity, reason, count])).toEqual([
      ['repaired', '"AllowedToDelegate" is not a list', 250],
      ['repaired', 'an entry of "AllowedToDelegate" is not an object', 250],
    ]);
    expect(report.issuesOmitted).toBe(0);
  });
});
