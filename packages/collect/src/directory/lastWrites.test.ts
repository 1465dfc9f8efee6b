import { expect, it } from 'vitest';
import { readGuid } from '../descriptor/ids.ts';
import type { Attributes } from '../ldap/messages.ts';
import { lastWrites, Writers } from './lastWrites.ts';

const DC1 = '6459CDB1-4A39-A6A6-1153-B7B9AA10110F';
const WRITERS = new Map([[DC1, 'DC1']]);
/** The GUID as in the directory: the first three parts with the lowest byte first. */
const GUID_BYTES = Buffer.from('b1cd5964394aa6a61153b7b9aa10110f', 'hex');

interface Stamp {
  readonly id: number;
  readonly version: number;
  /** Seconds since 1970. */
  readonly at: number;
  readonly writer?: Buffer;
}

function blob(stamps: readonly Stamp[], { version = 1, count = stamps.length } = {}): Buffer {
  const bytes = Buffer.alloc(16 + 48 * stamps.length);
  bytes.writeUInt32LE(version, 0);
  bytes.writeUInt32LE(count, 8);
  for (const [at, stamp] of stamps.entries()) {
    const start = 16 + 48 * at;
    bytes.writeUInt32LE(stamp.id, start);
    bytes.writeUInt32LE(stamp.version, start + 4);
    bytes.writeBigUInt64LE(BigInt(stamp.at + 11_644_473_600), start + 8);
    (stamp.writer ?? GUID_BYTES).copy(bytes, start + 16);
  }
  return bytes;
}

const AT = Date.UTC(2026, 10, 30, 10) / 1000;
const LIST = { id: 0x20119, version: 3, at: AT };
const read = (bytes: Buffer, links: readonly string[] = []): Promise<readonly string[]> => {
  const attributes: Attributes = new Map([
    ['replpropertymetadata', [bytes]],
    ['msds-replvaluemetadata', links.map((text) => Buffer.from(text))],
  ]);
  return lastWrites(attributes, new Writers(async () => WRITERS));
};

it('reads time, controller and number of known attributes', async () => {
  const other = { id: 0x90008, version: 1, at: AT + 60, writer: Buffer.alloc(16, 7) };
  expect(await read(blob([LIST, other, { id: 0x9999, version: 1, at: AT }]))).toEqual([
    'nTSecurityDescriptor: 2026-11-30T10:00:00Z on DC1 (version 3)',
    'userAccountControl: 2026-11-30T10:01:00Z on an unknown controller (version 1)',
  ]);
  expect(await lastWrites(new Map(), new Writers(async () => WRITERS))).toEqual([]);
});

it('reads the controllers once if the first id is unknown, and again for the next one', async () => {
  let readings = 0;
  const writers = new Writers(async () => {
    readings++;
    return WRITERS;
  });
  for (const [id, expected] of [
    [Buffer.alloc(16, 9), 1],
    [Buffer.alloc(16, 9), 1],
    [Buffer.alloc(16, 8), 2],
  ] as const) {
    const bytes = blob([{ ...LIST, writer: id }]);
    expect(await lastWrites(new Map([['replpropertymetadata', [bytes]]]), writers)).toEqual([
      expect.stringContaining(' on an unknown controller ('),
    ]);
    expect(readings).toBe(expected);
  }
});

it('reads the controllers again for an unknown id, which may be that of a new one, at most five times', async () => {
  const added = Buffer.alloc(16, 7);
  const later = new Map([...WRITERS, [readGuid(added).toUpperCase(), 'DC2']]);
  let readings = 0;
  const writers = new Writers(async () => (readings++ === 0 ? WRITERS : later));
  const writtenBy = (writer: Buffer): Promise<readonly string[]> =>
    lastWrites(new Map([['replpropertymetadata', [blob([{ ...LIST, writer }])]]]), writers);
  const on = (name: string): readonly unknown[] => [expect.stringContaining(` on ${name} (`)];
  expect(await writtenBy(GUID_BYTES)).toEqual(on('DC1'));
  expect(readings).toBe(1);
  expect(await writtenBy(added)).toEqual(on('DC2'));
  expect(readings).toBe(2);
  for (let at = 0; at < 3; at++)
    expect(await writtenBy(Buffer.alloc(16, 9))).toEqual(on('an unknown controller'));
  expect(readings).toBe(3);
  for (let at = 10; at < 30; at++) await writtenBy(Buffer.alloc(16, at));
  expect(readings).toBe(6);
});

const member = (time: string, version: number, name = 'member', server = 'DC1'): string =>
  `<DS_REPL_VALUE_META_DATA><pszAttributeName>${name}</pszAttributeName><pszObjectDn>CN=x</pszObjectDn><ftimeDeleted>${time}</ftimeDeleted><dwVersion>${version}</dwVersion><ftimeLastOriginatingChange>${time}</ftimeLastOriginatingChange><pszLastOriginatingDsaDN>CN=NTDS Settings,CN=${server},CN=Servers,CN=A,CN=Sites</pszLastOriginatingDsaDN></DS_REPL_VALUE_META_DATA>\n\0`;

it('reads the newest write of a member, removed ones included', async () => {
  const links = [
    member('2026-01-01T00:00:00Z', 1),
    member('2026-03-01T00:00:00Z', 2),
    member('2026-02-01T00:00:00Z', 9),
    member('2026-04-01T00:00:00Z', 1, 'managedBy'),
  ];
  expect(await read(blob([]), links)).toEqual(['member: 2026-03-01T00:00:00Z on DC1 (version 2)']);
  expect(
    await read(blob([]), [member('soon', 1), 'x', member('2026-03-01T00:00:00Z', 1, 'member', '')]),
  ).toEqual(['member: 2026-03-01T00:00:00Z on an unknown controller (version 1)']);
});

it('reads nothing in other forms, and never beyond the end', async () => {
  const whole = blob([LIST, { id: 0x90008, version: 1, at: AT }]);
  expect(await read(blob([LIST], { version: 2 }))).toEqual([]);
  expect(await read(blob([LIST], { count: 4_000_000_000 }))).toHaveLength(1);
  for (let end = 0; end < whole.length; end++)
    expect((await read(whole.subarray(0, end))).length).toBeLessThan(2);
  // The same attribute twice, and times outside of the calendar.
  expect(await read(blob([LIST, { ...LIST, version: 9 }]))).toEqual(await read(blob([LIST])));
  expect(
    await read(
      blob([
        { ...LIST, at: -11_644_473_600 },
        { ...LIST, at: 300_000_000_000 },
      ]),
    ),
  ).toEqual([]);
  const random = Buffer.alloc(16 + 48 * 3, 0xff);
  random.writeUInt32LE(1, 0);
  expect(await read(random)).toEqual([]);
});
