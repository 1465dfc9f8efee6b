import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import { expect, it } from 'vitest';
import { withMutations } from '../../test/mutations.ts';
import {
  acceptSignIn,
  type KerberosFaults,
  PASSWORD,
  REALM,
  SERVICE_KEY,
  SESSION_KEY,
  simulatedKerberos,
  USER,
} from '../../test/simulatedKerberos.ts';
import { BerError } from '../ber/reader.ts';
import { AES256, decrypt, encrypt, IntegrityError, type Key, keyOfPassword } from './encryption.ts';
import { readTicketAnswer } from './messages.ts';
import { beginSignIn, channelBinding, SealedSession } from './securityContext.ts';
import { type KerberosAccount, type Ticket, ticketFor } from './tickets.ts';

const account: KerberosAccount = { user: USER, realm: REALM, secret: { password: PASSWORD } };

async function askedOf(faults: KerberosFaults, who: KerberosAccount = account) {
  await using kerberos = await simulatedKerberos(faults);
  const target = { host: 'dc1.lab.test', address: '127.0.0.1', port: kerberos.port };
  const outcome = await ticketFor(target, who, 'ldap/dc1.lab.test').then(
    (ticket) => ({ ticket, error: '' }),
    (error: Error) => ({ ticket: undefined, error: error.message }),
  );
  return { ...outcome, requests: kerberos.requests };
}

it('gets a ticket with a password, a keytab, and a ticket of an earlier sign-in', async () => {
  const byPassword = await askedOf({});
  expect(byPassword).toMatchObject({ error: '', requests: ['sign-in', 'proof', 'ticket'] });
  expect(byPassword.ticket?.key).toEqual(SERVICE_KEY);
  const key = keyOfPassword(AES256, PASSWORD, `${REALM}${USER}`);
  const keytab = [{ principal: 'Reader', realm: REALM, version: 1, key }];
  expect((await askedOf({}, { ...account, secret: { keytab } })).ticket?.key).toEqual(SERVICE_KEY);
  const endsAt = Date.now() / 1000 + 3600;
  const tickets = [
    { service: `krbtgt/${REALM}`, realm: REALM, key: SESSION_KEY, endsAt, ticket: Buffer.from('a ticket') },
  ];
  const cache = { user: USER, realm: REALM, tickets };
  const byCache = await askedOf({}, { ...account, secret: { cache } });
  expect(byCache).toMatchObject({ error: '', requests: ['ticket'] });
});

it('follows a clock that is off with one more request, and tries a wrong password once', async () => {
  const skewed = await askedOf({ skewMs: 3_600_000 });
  expect(skewed.requests).toEqual(['sign-in', 'proof', 'proof', 'ticket']);
  expect(skewed.ticket?.skewMs).toBeGreaterThan(3_500_000);
  const wrong = await askedOf({}, { ...account, secret: { password: 'wrong' } });
  expect(wrong).toMatchObject({
    error: 'Kerberos: the password or key is wrong (reader@LAB.TEST)',
    requests: ['sign-in', 'proof'],
  });
});

it.each([
  [{ kinds: [23] }, 'no AES keys: set its password again'],
  [{ signInError: 18 }, 'disabled, locked or expired'],
  [{ signInError: 23 }, 'the password has expired'],
  [{ signInError: 6 }, 'the account does not exist'],
  [{ signInError: 68 }, 'another domain is responsible'],
  [{ signInError: 99 }, 'error 99'],
  [{ ticketError: 7 }, 'the domain controller does not know this service'],
  [{ iterations: 2 ** 30 }, 'iterations for the password'],
] as const)('explains what to do for %o', async (faults, text) => {
  expect((await askedOf(faults)).error).toContain(text);
});

it('names missing information before it sends a request', async () => {
  const cache = { user: USER, realm: REALM, tickets: [] };
  expect((await askedOf({}, { ...account, secret: { cache } })).error).toContain('kinit reader@LAB.TEST');
  expect((await askedOf({}, { ...account, secret: { keytab: [] } })).error).toContain(
    'the keytab has no AES key',
  );
  expect((await askedOf({}, { ...account, secret: { password: '' } })).error).toContain('is empty');
});

it('refuses invalid and incomplete answers', async () => {
  for (const raw of [
    () => Buffer.from('HTTP/1.1 400'),
    () => Buffer.alloc(0),
    (x: Buffer) => x.subarray(0, 20),
  ])
    expect((await askedOf({ raw })).error).not.toBe('');
  // The checksum detects a changed answer of the right form.
  const changed = (answer: Buffer): Buffer => {
    if (answer[0] === 0x6b) answer[answer.length - 5] ^= 1;
    return answer;
  };
  expect((await askedOf({ raw: changed })).error).toContain('wrong');
});

const ticket: Ticket = {
  ...{ ticket: Buffer.from([0x61, 0]), key: SERVICE_KEY, realm: REALM, skewMs: 0 },
  client: Buffer.from([0x30, 0]),
};

it('accepts the answer of a service only if it has the key of the ticket', () => {
  const signIn = beginSignIn(ticket, { protection: 'sealed' });
  expect(signIn.finish(acceptSignIn(SESSION_KEY))).toMatchObject({ key: SESSION_KEY, isOfService: true });
  expect(() => signIn.finish(acceptSignIn(SESSION_KEY, 2))).toThrow('does not accept');
  expect(() => signIn.finish(acceptSignIn(SESSION_KEY, 0, SESSION_KEY))).toThrow(IntegrityError);
});

/** A message encrypted by a service (RFC 4121, 4.2.4), rotated by `turns` bytes. */
function sealedByService(key: Key, plain: string, sequence: bigint, turns = 0, flags = 7): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt16BE(0x0504);
  head[2] = flags;
  head[3] = 0xff;
  head.writeBigUInt64BE(sequence, 8);
  const sealed = encrypt(key, 22, Buffer.concat([Buffer.from(plain), head]));
  head.writeUInt16BE(turns, 6);
  const by = sealed.length - (turns % sealed.length);
  return Buffer.concat([head, sealed.subarray(by), sealed.subarray(0, by)]);
}

it('decrypts messages of the service in order, rotated or not, and no others', () => {
  const begin = () => new SealedSession({ key: SESSION_KEY, isOfService: true, sequence: 1 });
  const session = begin();
  expect(session.unwrap(sealedByService(SESSION_KEY, 'one', 5n)).toString()).toBe('one');
  expect(session.unwrap(sealedByService(SESSION_KEY, 'two', 6n, 28)).toString()).toBe('two');
  expect(() => session.unwrap(sealedByService(SESSION_KEY, 'two', 6n))).toThrow('was repeated');
  expect(() => begin().unwrap(sealedByService(SESSION_KEY, 'x', 1n, 0, 6))).toThrow('not by the service');
  expect(() => begin().unwrap(sealedByService(SESSION_KEY, 'x', 1n, 0, 5))).toThrow('not encrypted');
  const changed = sealedByService(SESSION_KEY, 'x', 1n);
  changed[15] ^= 1;
  expect(() => begin().unwrap(changed)).toThrow('header of a message was changed');
  // Its own messages have consecutive sequence numbers and the key usage of clients.
  const sent = begin().wrap(Buffer.from('ask'));
  expect(decrypt(SESSION_KEY, 24, sent.subarray(16)).subarray(0, 3).toString()).toBe('ask');
  expect([sent[2], sent.readBigUInt64BE(8)]).toEqual([6, 1n]);
});

it('reads or refuses hostile messages with clear errors', () => {
  const sealed = [0, 28].map((turns) => sealedByService(SESSION_KEY, 'a message', 5n, turns));
  withMutations([...sealed, acceptSignIn(SESSION_KEY)], 5_000, (bytes) => {
    const session = new SealedSession({ key: SESSION_KEY, isOfService: true, sequence: 1 });
    const signIn = beginSignIn(ticket, { protection: 'sealed' });
    for (const read of [
      () => session.unwrap(bytes),
      () => signIn.finish(bytes),
      () => readTicketAnswer(bytes),
    ])
      try {
        read();
      } catch (error) {
        const isClear =
          error instanceof BerError ||
          error instanceof IntegrityError ||
          /^Kerberos: /.test((error as Error).message);
        if (!isClear) throw error;
      }
  });
});

it('binds a sign-in to the certificate of the connection (RFC 5929)', async () => {
  const { cert } = await generate([{ name: 'commonName', value: 'dc1.lab.test' }], { algorithm: 'sha512' });
  const der = new X509Certificate(cert).raw;
  const bound = channelBinding(der);
  expect(bound).toHaveLength(16);
  // A sequence number or time with few digits makes a token some bytes shorter.
  const lengthOf = (options: Parameters<typeof beginSignIn>[1]): number =>
    Math.max(...Array.from({ length: 30 }, () => beginSignIn(ticket, options).token.length));
  // The binding is in the encrypted part, so only its length is visible; a Windows controller verifies the value.
  expect(lengthOf({ protection: 'none', serverCertificate: der })).toBe(lengthOf({ protection: 'sealed' }));
});
