import { expect, it } from 'vitest';
import { withMutations } from '../../test/mutations.ts';
import { KerberosFileError } from './byteReader.ts';
import { readCredentialCache } from './credentialCache.ts';
import { readKeytab } from './keytab.ts';

const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const counted = (value: string | Buffer): Buffer => Buffer.concat([short(value.length), Buffer.from(value)]);
const counted4 = (value: string | Buffer): Buffer => Buffer.concat([long(value.length), Buffer.from(value)]);

const keytabEntry = (names: readonly string[], type: number, version: number, key: Buffer): Buffer => {
  const entry = Buffer.concat([
    ...[short(names.length), counted('LAB.TEST'), ...names.map(counted), long(1), long(0)],
    ...[Buffer.from([version & 0xff]), short(type), counted(key), long(version)],
  ]);
  return Buffer.concat([long(entry.length), entry]);
};

const keytab = Buffer.concat([
  short(0x0502),
  keytabEntry(['reader'], 23, 2, Buffer.alloc(16, 1)),
  Buffer.concat([long(-5), Buffer.alloc(5)]),
  keytabEntry(['reader'], 17, 300, Buffer.alloc(16, 2)),
  keytabEntry(['reader'], 18, 300, Buffer.alloc(32, 3)),
  keytabEntry(['host', 'srv1.lab.test'], 18, 1, Buffer.alloc(32, 4)),
]);

it('reads AES keys, the newest and strongest first, and skips holes and older types', () => {
  expect(readKeytab(keytab).map(({ principal, version, key }) => [principal, version, key.type])).toEqual([
    ['reader', 300, 18],
    ['reader', 300, 17],
    ['host/srv1.lab.test', 1, 18],
  ]);
  expect(readKeytab(keytab)[0].key.bytes).toEqual(Buffer.alloc(32, 3));
});

const name = (...parts: readonly string[]): Buffer =>
  Buffer.concat([long(1), long(parts.length), counted4('LAB.TEST'), ...parts.map(counted4)]);

const credential = (service: readonly string[], type: number): Buffer =>
  Buffer.concat([
    ...[name('reader'), name(...service), short(type), counted4(Buffer.alloc(32, 5))],
    ...[long(1), long(2), long(2_000_000_000), long(3), Buffer.from([0]), long(4)],
    ...[long(1), short(2), counted4('addr'), long(0), counted4('a ticket'), counted4('')],
  ]);

const cache = Buffer.concat([
  ...[short(0x0504), short(4), long(0), name('reader')],
  ...[credential(['krbtgt', 'LAB.TEST'], 18), credential(['ldap', 'dc1.lab.test'], 23)],
]);

it('reads tickets of a credential cache', () => {
  const { user, realm, tickets } = readCredentialCache(cache);
  expect({ user, realm, services: tickets.map(({ service }) => service) }).toEqual({
    ...{ user: 'reader', realm: 'LAB.TEST', services: ['krbtgt/LAB.TEST'] },
  });
  expect(tickets[0]).toMatchObject({ endsAt: 2_000_000_000, ticket: Buffer.from('a ticket') });
});

it('refuses other files, and reads or refuses damaged ones', () => {
  expect(() => readKeytab(Buffer.from('hello'))).toThrow('not a keytab');
  expect(() => readCredentialCache(Buffer.alloc(0))).toThrow('not a credential cache');
  withMutations([keytab, cache], 20_000, (bytes) => {
    for (const read of [readKeytab, readCredentialCache])
      try {
        read(bytes);
      } catch (error) {
        if (!(error instanceof KerberosFileError)) throw error;
      }
  });
});
