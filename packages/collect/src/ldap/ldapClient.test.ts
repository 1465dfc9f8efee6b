import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { readMutatedAnswers } from '../../test/mutatedAnswers.ts';
import {
  bindResult,
  entryMessage,
  type LdapRequest,
  openOverTls,
  resultMessage,
  searchDone,
  simulatedLdap,
} from '../../test/simulatedLdap.ts';
import { BerReader } from '../ber/reader.ts';
import { berInteger, berOctets, berSequence, berValue } from '../ber/writer.ts';
import { LdapClient } from './ldapClient.ts';
import { TAG } from './messages.ts';
import { LdapError, resultError } from './results.ts';

const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
  keySize: 2048,
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'dc1.lab.test' }] }],
});

interface Opened {
  readonly client: LdapClient;
  readonly received: readonly Buffer[];
}

async function withServer(
  answer: (request: LdapRequest) => void,
  use: (opened: Opened) => Promise<void>,
  silenceMs = 10_000,
): Promise<void> {
  await using server = await simulatedLdap(answer);
  const target = { host: 'dc1.lab.test', address: '127.0.0.1', port: server.port, tls: false, silenceMs };
  const client = await LdapClient.open(target);
  try {
    await use({ client, received: server.received });
  } finally {
    client.close();
  }
}

const search = { base: 'DC=lab,DC=test', attributes: ['cn'] };

async function names(client: LdapClient): Promise<string[]> {
  return (await client.searchAll(search)).map(({ dn }) => dn);
}

describe('search', () => {
  it('reads page after page, whatever the chunks, and skips references', async () => {
    const pages = [['a', 'b'], [], ['c']];
    await withServer(
      ({ id, cookie, socket }) => {
        const at = cookie.length === 0 ? 0 : cookie[0];
        const next = at + 1 < pages.length ? Buffer.from([at + 1]) : Buffer.alloc(0);
        const reference = berSequence(berInteger(id), berValue(TAG.reference, berOctets('ldap://other')));
        const bytes = Buffer.concat([
          ...pages[at].map((name) => entryMessage(id, name, { cn: [name] })),
          reference,
          searchDone(id, next),
        ]);
        for (const byte of bytes) socket.write(Buffer.from([byte]));
      },
      async ({ client }) => expect(await names(client)).toEqual(['a', 'b', 'c']),
    );
  });

  it('pauses a server while an entry is used, and still gets other answers in between', async () => {
    const count = 5_000;
    await withServer(
      ({ id, body, send }) => {
        if (body.text() === 'CN=group') {
          send(entryMessage(id, 'CN=group', { 'member;range=0-1': ['x', 'y'] }), searchDone(id));
          return;
        }
        for (let at = 0; at < count; at += 1) send(entryMessage(id, `e${at}`, { cn: ['x'.repeat(1000)] }));
        send(searchDone(id));
      },
      async ({ client }) => {
        let seen = 0;
        for await (const { dn } of client.search({ ...search, pageSize: count })) {
          expect(dn).toBe(`e${seen}`);
          seen += 1;
          if (seen === 70) {
            const before = client.connection.bytesRead;
            await new Promise((resolve) => setTimeout(resolve, 200));
            expect(client.connection.bytesRead - before).toBeLessThan(1_000_000);
          }
          if (seen % 2_500 === 0) expect(await client.readObject('CN=group', ['member'])).toBeDefined();
        }
        expect(seen).toBe(count);
      },
    );
  });

  it('reads values in ranges, and refuses infinite ranges', async () => {
    const ranges = (first: (asked: number) => number, isEndless: boolean) => (request: LdapRequest) => {
      const { id, body, send } = request;
      body.text();
      for (let skip = 0; skip < 6; skip += 1) body.enter();
      const asked = Number(/range=(\d+)/.exec(body.enter().text())?.[1]);
      const isLast = !isEndless && asked >= 4;
      send(
        entryMessage(id, 'CN=group', {
          [`member;range=${first(asked)}-${isLast ? '*' : first(asked) + 1}`]: ['x', 'y'],
        }),
        searchDone(id),
      );
    };
    const read = async (client: LdapClient): Promise<number> => {
      let total = 0;
      for await (const values of client.valueRanges('CN=group', 'member', 2)) total += values.length;
      return total;
    };
    await withServer(
      ranges((asked) => asked, false),
      async ({ client }) => expect(await read(client)).toBe(4),
    );
    await withServer(
      ranges(() => 0, true),
      async ({ client }) => {
        await expect(read(client)).rejects.toThrow('returns values from 0 on, instead of 2');
      },
    );
  });

  it.each([
    [
      'a result in words',
      (r: LdapRequest) => r.send(searchDone(r.id, undefined, 50, 'no\0access')),
      'cannot read this (no access)',
    ],
    [
      'a referral',
      (r: LdapRequest) =>
        r.send(
          resultMessage(r.id, TAG.searchDone, 10, '', berValue(0xa3, berOctets('ldap://dc9.other.test'))),
        ),
      'another domain controller is responsible (a referral); it refers to ldap://dc9.other.test',
    ],
    ['silence', () => {}, 'has been silent for 0.3 s'],
    [
      'entries, then silence',
      (r: LdapRequest) => r.send(entryMessage(r.id, 'a')),
      'has been silent for 0.3 s',
    ],
    ['an end without a result', (r: LdapRequest) => r.socket.destroy(), 'closed the connection'],
    [
      'another protocol',
      (r: LdapRequest) => r.socket.write('HTTP/1.1 400 Bad Request\r\n'),
      'does not speak LDAP',
    ],
    [
      'a message of a gigabyte',
      (r: LdapRequest) => r.socket.write(Buffer.from('30844000000000', 'hex')),
      'the limit is',
    ],
    [
      'a notice that ends the session',
      (r: LdapRequest) => r.send(resultMessage(0, 0x78, 52)),
      'ended the session',
    ],
    [
      'a message with something else inside',
      (r: LdapRequest) => r.send(berSequence(berOctets('x'))),
      'tag 4 instead of 2',
    ],
    [
      'more than a page',
      (r: LdapRequest) => {
        for (let at = 0; at < 11; at += 1) r.send(entryMessage(r.id, `e${at}`));
      },
      'more than 10 objects per page',
    ],
    [
      'more values than memory',
      (r: LdapRequest) => r.send(entryMessage(r.id, 'a', { cn: Array.from({ length: 250_001 }, () => '') })),
      'more than 250000 values',
    ],
    [
      'pages without an end',
      (r: LdapRequest) => r.send(searchDone(r.id, Buffer.from('again'))),
      'pages without objects',
    ],
    [
      'a mark of megabytes',
      (r: LdapRequest) => r.send(searchDone(r.id, Buffer.alloc(2 ** 21))),
      'a page cookie',
    ],
  ])('refuses %s', async (_, answer, text) => {
    await withServer(
      answer,
      async ({ client }) => {
        await expect(client.searchAll({ ...search, pageSize: 10 })).rejects.toThrow(text);
      },
      text.includes('silent') ? 300 : 20_000,
    );
  });
});

describe('sign-in', () => {
  it('never sends a password without encryption, nor an empty one', async () => {
    await withServer(
      () => {},
      async ({ client, received }) => {
        await expect(client.bindWithPassword('reader', 'a secret')).rejects.toThrow('unencrypted connection');
        expect(Buffer.concat([...received])).toHaveLength(0);
      },
    );
    await using server = await simulatedLdap(() => {}, pem);
    const client = await openOverTls(server, pem);
    await expect(client.bindWithPassword('reader', '')).rejects.toThrow('anonymous');
    await expect(client.bindWithPassword('', 'x')).rejects.toThrow('anonymous');
    expect(server.received).toEqual([]);
    client.close();
  });

  it.each([
    ['52e', 'the password is wrong'],
    ['532', 'the password has expired: set a new one'],
    ['533', 'the account is disabled'],
    ['775', 'the account is locked'],
  ])(
    'explains why a sign-in failed (data %s), tries it once, and closes the connection',
    async (data, text) => {
      const message = `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data ${data}, v2580`;
      await using server = await simulatedLdap(({ id, send }) => send(bindResult(id, 49, message)), pem);
      const client = await openOverTls(server, pem);
      const failure = await client.bindWithPassword('reader', 'a secret').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(LdapError);
      expect(String(failure)).toContain(text);
      expect(String(failure)).not.toContain('a secret');
      expect(server.received).toHaveLength(1);
      await expect(client.searchAll(search)).rejects.toThrow(text);
    },
  );

  it('explains that a stronger sign-in is required', () => {
    const body = new BerReader(Buffer.concat([berOctets(''), berOctets('')]));
    expect(resultError(8, body, 'sign-in').message).toContain('use LDAPS, StartTLS, or Kerberos');
  });
});

describe('certificates', () => {
  const open = async (host: string, ca?: Buffer): Promise<void> => {
    await using server = await simulatedLdap(() => {}, pem);
    (await LdapClient.open({ host, address: '127.0.0.1', port: server.port, tls: true, ca })).close();
  };

  it('are verified, and a failed verification says what to do', async () => {
    await open('dc1.lab.test', Buffer.from(pem.cert));
    await expect(open('dc1.lab.test')).rejects.toThrow('give the certificate file of its CA (--ca)');
    await expect(open('dc2.lab.test', Buffer.from(pem.cert))).rejects.toThrow(
      'has another name than the host',
    );
  });

  it('refuses bytes before the handshake of StartTLS', async () => {
    await withServer(
      ({ id, send }) => send(resultMessage(id, 0x78, 0), Buffer.from([0x30])),
      async ({ client }) => {
        await expect(client.connection.startTls()).rejects.toThrow('before the handshake');
      },
    );
  });
});

it('reads or refuses mutated answers with clear errors', () => {
  expect(readMutatedAnswers(10_000).read).toBeGreaterThan(1_000);
});
