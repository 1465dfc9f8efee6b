/** A client of Bolt by its bytes, and a listener with users and answers of its own: for tests of the protocol. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerTyped, notReady, type QueryValue, TypedQueryError, TypedValue } from '@clew/common';
import { pino } from 'pino';
import type { BoltOptions } from '../../src/bolt/boltOptions.ts';
import { type BoltServer, startBolt } from '../../src/bolt/boltServer.ts';
import { ChunkReader, chunked } from '../../src/bolt/chunks.ts';
import { unpack } from '../../src/bolt/packReader.ts';
import { PackWriter } from '../../src/bolt/packWriter.ts';
import { isPackMap, type PackValue, type Structure } from '../../src/bolt/structure.ts';
import { RateLimiter } from '../../src/http/rateLimit.ts';
import { silentMetrics, userNamed } from '../http/testServer.ts';

export const TAGS = {
  ...{ HELLO: 0x01, GOODBYE: 0x02, RESET: 0x0f, RUN: 0x10, BEGIN: 0x11, COMMIT: 0x12, ROLLBACK: 0x13 },
  ...{ DISCARD: 0x2f, PULL: 0x3f, TELEMETRY: 0x54, ROUTE: 0x66, LOGON: 0x6a, LOGOFF: 0x6b },
} as const;
const ANSWERS: Readonly<Record<number, string>> = {
  112: 'SUCCESS',
  113: 'RECORD',
  126: 'IGNORED',
  127: 'FAILURE',
};

export const MAGIC = Buffer.from('6060b017', 'hex');
export const PROPOSALS = Buffer.from('00000405000000040000000000000000', 'hex');
export const KEY = 'right';

export function packMessage(name: keyof typeof TAGS, ...fields: readonly PackValue[]): Buffer {
  const writer = new PackWriter();
  writer.structure(TAGS[name], fields);
  return chunked(writer.written);
}

export const LOGON = logon('ann');

export function logon(principal: string, credentials = KEY): Buffer {
  return packMessage('LOGON', { scheme: 'basic', principal, credentials });
}

export type Answer = [name: string, ...fields: PackValue[]];

export class RawBolt {
  readonly socket: Socket;
  readonly #reader = new ChunkReader(2 ** 30);
  readonly #answers: Answer[] = [];
  #head: Buffer | undefined = Buffer.alloc(0);
  #wake = (): void => {};
  version: number[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawBolt> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawBolt(socket);
  }

  /** Opened, with a handshake, and signed in. @param version of the protocol, the only one that it proposes; default: any */
  static async signedIn(url: string, user = 'ann', key = KEY, version?: string): Promise<RawBolt> {
    const client = await RawBolt.open(url);
    const [major = 5, minor = 4] = version?.split('.').map(Number) ?? [];
    const proposals = Buffer.alloc(16);
    proposals.set([minor, major], 2);
    // Older versions sign in with HELLO.
    const auth = { scheme: 'basic', principal: user, credentials: key };
    const hasLogon = major === 5 && minor > 0;
    const greeting = hasLogon
      ? [packMessage('HELLO', {}), packMessage('LOGON', auth)]
      : [packMessage('HELLO', auth)];
    client.socket.write(Buffer.concat([MAGIC, version === undefined ? PROPOSALS : proposals, ...greeting]));
    for (const _ of greeting) await client.next();
    return client;
  }

  #take(bytes: Buffer): void {
    let rest = bytes;
    if (this.#head !== undefined) {
      this.#head = Buffer.concat([this.#head, bytes]);
      if (this.#head.length < 4) return;
      this.version = [...this.#head.subarray(0, 4)];
      rest = this.#head.subarray(4);
      this.#head = undefined;
    }
    for (const message of this.#reader.read(rest)) {
      const { tag, fields } = unpack(message) as Structure;
      this.#answers.push([ANSWERS[tag], ...fields]);
    }
    this.#wake();
  }

  send(...messages: Parameters<typeof packMessage>[]): void {
    this.socket.write(Buffer.concat(messages.map((message) => packMessage(...message))));
  }

  /** @returns the next answer; `closed` at the end of the connection */
  async next(): Promise<Answer> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) return answer;
      if (this.isClosed) return ['closed'];
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** @returns the rows of a query */
  async rows(text: string): Promise<readonly PackValue[][]> {
    this.send(['RUN', text, {}, {}], ['PULL', { n: -1 }]);
    const rows: PackValue[][] = [];
    const [name, ran] = await this.next();
    if (name !== 'SUCCESS') throw new Error(JSON.stringify(ran));
    for (;;) {
      const [answer, values] = await this.next();
      if (answer === 'RECORD') rows.push(values as PackValue[]);
      else if (answer === 'SUCCESS') return rows;
      else throw new Error(JSON.stringify(values));
    }
  }

  /** Answers without their details: names, with the code of a failure. */
  async names(count: number): Promise<string[]> {
    const names: string[] = [];
    for (let n = 0; n < count; n++) {
      const [name, metadata] = await this.next();
      names.push(isPackMap(metadata) && name === 'FAILURE' ? `${name} ${metadata.code}` : name);
    }
    return names;
  }
}

/** An object with stored values of some KB. */
const LARGE_NODE = new TypedValue({
  type: 'node',
  id: 1,
  labels: ['User'],
  properties: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`property${n}`, 'x'.repeat(100)])),
});

/**
 * Answers `rows N` with N rows, `wide N` with N of 100,000 characters, `wide N of M` with N of M characters, `list N` with a list that
 * names an object N times, `slow N` with a row after N milliseconds, `wait` when it is canceled, and refuses all else.
 */
export const answerRows: AnswerTyped = async ({ text }, { signal }) => {
  if (text === 'wait')
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const wide = /^wide (\d+)(?: of (\d+))?$/.exec(text);
  const [list, slow] = [/^list (\d+)$/.exec(text), /^slow (\d+)$/.exec(text)];
  if (slow) await sleep(Number(slow[1]));
  if (text === 'busy') throw notReady('the database cannot be reached', 1);
  const change = /^change (\d+)(?: then fail)?$/.exec(text);
  const count = list || slow ? 1 : Number((wide ?? change ?? /^rows (\d+)$/.exec(text))?.[1] ?? Number.NaN);
  if (Number.isNaN(count)) throw new TypedQueryError('syntax', 'no such query');
  let taken = 0;
  return {
    ...{ columns: ['n'], warnings: [], generation: 1, bytes: count },
    ...(change && { changes: { 'nodes-created': count } }),
    get left() {
      return count - taken;
    },
    async take(max) {
      await sleep(0);
      if (text.endsWith('then fail')) throw notReady('the database cannot be reached', 1);
      const rows: QueryValue[][] = [];
      for (; rows.length < max && taken < count; taken++)
        if (list) rows.push([Array(Number(list[1])).fill(LARGE_NODE)]);
        else rows.push([wide === null ? taken : 'x'.repeat(Number(wide[2] ?? 100_000))]);
      takenOf.count += rows.length;
      return rows;
    },
    skip: (rows) => {
      taken = Math.min(count, taken + rows);
    },
  };
};

/** Rows that all answers have given. */
export const takenOf = { count: 0 };

export function startTestBolt(options: Partial<BoltOptions> = {}): Promise<BoltServer> {
  return startBolt({
    ...{ host: '127.0.0.1', port: 0, version: '1.2.3', edition: 'enterprise', connections: 400 },
    trustedProxies: { count: 0 },
    signIn: async ({ name, password }) => {
      const principal = userNamed(name, name === 'eve' ? [] : ['graphdb/Read']);
      return password === KEY ? async () => principal : undefined;
    },
    answer: answerRows,
    limiter: new RateLimiter(0),
    metrics: silentMetrics,
    log: pino({ level: 'silent' }),
    ...options,
  });
}
