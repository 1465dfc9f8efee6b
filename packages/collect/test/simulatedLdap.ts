/** A simulated LDAP server: it answers each request as the test specifies, including invalid bytes. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { BER_TAG, BerReader } from '../src/ber/reader.ts';
import { berContext, berInteger, berOctets, berSequence, berValue } from '../src/ber/writer.ts';
import { LdapClient } from '../src/ldap/ldapClient.ts';
import { messageLength, TAG } from '../src/ldap/messages.ts';
import { Frames, lengthInFront } from '../src/net/frames.ts';
import type { ServiceSession } from './serviceSession.ts';

export interface LdapRequest {
  readonly id: number;
  /** Tag of the operation. */
  readonly tag: number;
  readonly body: BerReader;
  /** Cookie of the requested page; empty for the first one. */
  readonly cookie: Buffer;
  readonly socket: Socket;
  send(...messages: readonly Buffer[]): void;
  /** Encrypts everything that follows, in both directions. */
  seal(session: ServiceSession): void;
}

export interface SimulatedLdap extends AsyncDisposable {
  readonly port: number;
  /** Bytes of all requests. */
  readonly received: Buffer[];
}

export interface Pem {
  readonly private: string;
  readonly cert: string;
}

export async function simulatedLdap(
  answer: (request: LdapRequest) => void,
  tls?: Pem,
): Promise<SimulatedLdap> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    const frames = new Frames(messageLength);
    const sealed = new Frames(lengthInFront(2 ** 24, 'a sealed message'));
    let session: ServiceSession | undefined;
    let isReadable = true;
    const nextOf = (): Buffer | undefined => {
      try {
        return frames.take();
      } catch {
        isReadable = false;
        return undefined;
      }
    };
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      // An encrypted session is not read here.
      if (!isReadable) return;
      if (session === undefined) frames.push(chunk);
      else {
        sealed.push(chunk);
        for (let part = sealed.take(); part !== undefined; part = sealed.take())
          frames.push(session.open(part.subarray(4)));
      }
      for (let bytes = nextOf(); bytes !== undefined; bytes = nextOf()) {
        const reader = new BerReader(bytes).enter(BER_TAG.sequence);
        const id = reader.integer();
        const tag = reader.peek();
        const body = reader.enter();
        const cookie = cookieOf(reader);
        answer({
          ...{ id, tag, body, cookie, socket },
          send: (...all) => {
            const plain = Buffer.concat(all);
            socket.write(session === undefined ? plain : session.sealed(plain));
          },
          seal: (given) => {
            session = given;
          },
        });
      }
    });
  };
  const server: Server =
    tls === undefined ? createServer(serve) : createTlsServer({ key: tls.private, cert: tls.cert }, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function cookieOf(reader: BerReader): Buffer {
  if (!reader.hasMore) return Buffer.alloc(0);
  const controls = reader.enter(TAG.controls);
  while (controls.hasMore) {
    const control = controls.enter(BER_TAG.sequence);
    if (control.text() !== '1.2.840.113556.1.4.319') continue;
    control.enter(BER_TAG.boolean);
    const page = new BerReader(control.octets()).enter(BER_TAG.sequence);
    page.integer();
    return Buffer.from(page.octets());
  }
  return Buffer.alloc(0);
}

export const resultMessage = (
  id: number,
  tag: number,
  code: number,
  text = '',
  more: Buffer = Buffer.alloc(0),
): Buffer =>
  berSequence(
    berInteger(id),
    berValue(tag, berInteger(code, BER_TAG.enumerated), berOctets(''), berOctets(text), more),
  );

export const bindResult = (id: number, code: number, text = ''): Buffer =>
  resultMessage(id, 0x61, code, text);

/** The result of a bind with a server token. */
export const bindAccepted = (id: number, token: Buffer): Buffer =>
  resultMessage(id, 0x61, 0, '', berValue(0x87, token));

export const entryMessage = (
  id: number,
  dn: string,
  attributes: Readonly<Record<string, readonly (string | Buffer)[]>> = {},
): Buffer =>
  berSequence(
    berInteger(id),
    berValue(
      TAG.entry,
      berOctets(dn),
      berSequence(
        ...Object.entries(attributes).map(([name, values]) =>
          berSequence(berOctets(name), berValue(BER_TAG.set, Buffer.concat(values.map(berOctets)))),
        ),
      ),
    ),
  );

/** The end of a page. */
export const searchDone = (id: number, cookie: Buffer = Buffer.alloc(0), code = 0, text = ''): Buffer =>
  berSequence(
    berInteger(id),
    berValue(TAG.searchDone, berInteger(code, BER_TAG.enumerated), berOctets(''), berOctets(text)),
    berContext(
      0,
      berSequence(
        berOctets('1.2.840.113556.1.4.319'),
        berOctets(berSequence(berInteger(0), berOctets(cookie))),
      ),
    ),
  );

/** A TLS client of the server that trusts its certificate. */
export const openOverTls = ({ port }: SimulatedLdap, { cert }: Pem): Promise<LdapClient> =>
  LdapClient.open({ host: 'dc1.lab.test', address: '127.0.0.1', port, tls: true, ca: Buffer.from(cert) });
