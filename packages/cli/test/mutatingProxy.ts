/**
 * A proxy that corrupts the service's answers like proxies, other servers, broken networks and attackers. The same seed produces the same
 * corruption, request by request.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { randomStream } from '@clew/synthetic';

export interface MutatingProxy {
  readonly url: string;
  /** `whole`: answers are unchanged. `hostile texts`: every text contains terminal control sequences. */
  mode: 'whole' | 'hostile texts' | readonly MutationName[];
  /** Fraction of corrupted answers. */
  part: number;
  seed(seed: number): void;
  /** The actions since the seed was set, for debugging. */
  readonly done: readonly string[];
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}
type Random = () => number;
type Mutation = (response: ServerResponse, answer: Answer, random: Random) => void | Promise<void>;

export const HOSTILE_TEXT = '\u001b]0;owned\u0007\u001b[2J\u001b[31m\u009b31m\u202e\u0000';
const HUGE_BYTES = 70 * 1024 * 1024;
/** Limit of infinite answers, larger than the memory that a process may use: a client that keeps all of it would be noticed. */
const ENDLESS_BYTES = 512 * 1024 * 1024;
const SLOW_MS = 2_500;

const whole = (response: ServerResponse, { status, type, headers, bytes }: Answer): void => {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': bytes.length }).end(bytes);
};
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

/** Only the first part of the bytes. */
const beginning = ({ bytes }: Answer, random: Random): Buffer =>
  bytes.subarray(0, Math.floor(random() * bytes.length));

const withJson =
  (change: (value: unknown, random: Random) => unknown): Mutation =>
  (response, answer, random) => {
    try {
      const value = change(JSON.parse(answer.bytes.toString()), random);
      whole(response, { ...answer, bytes: Buffer.from(JSON.stringify(value) ?? '') });
    } catch {
      whole(response, { ...answer, bytes: beginning(answer, random) });
    }
  };

const WRONG: readonly unknown[] = [
  null,
  [],
  {},
  '',
  -1,
  1e308,
  2 ** 53,
  0.5,
  true,
  [[null]],
  'x'.repeat(5_000),
];

/** Replaces values at one or more places by other types. */
function wrongSomewhere(value: unknown, random: Random, chance: number): unknown {
  if (random() < chance) {
    const others = WRONG.filter((each) => kindOf(each) !== kindOf(value));
    return pick(others, random);
  }
  if (Array.isArray(value)) return value.map((each) => wrongSomewhere(each, random, chance));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, wrongSomewhere(each, random, chance)]),
  );
}
const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const nullSomewhere = (value: unknown, random: Random, chance: number): unknown => {
  if (random() < chance) return null;
  if (Array.isArray(value)) return value.map((each) => nullSomewhere(each, random, chance));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      random() < chance ? [] : [[name, nullSomewhere(each, random, chance)]],
    ),
  );
};

const hugeNumbers = (value: unknown, random: Random): unknown => {
  if (typeof value === 'number') return random() < 0.5 ? pick([1e308, -1e308, 2 ** 60], random) : value;
  if (Array.isArray(value)) return value.map((each) => hugeNumbers(each, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hugeNumbers(each, random)]));
};

const PAGING = new Set(['next', 'has_more', 'count', 'skip', 'limit', 'total']);
const PLACES: readonly unknown[] = [null, '', 'nowhere', -1, 1e15, true, {}, 'x'.repeat(100_000), ' \n'];
const wrongPaging = (value: unknown, random: Random): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    PAGING.has(name) ? pick(PLACES, random) : each,
  ]);
  return { ...Object.fromEntries(entries), ...(random() < 0.5 && { next: pick(PLACES, random) }) };
};

const depth = (value: unknown): unknown => {
  let deep = value;
  for (let n = 0; n < 3_000; n++) deep = [deep];
  return { data: deep };
};

/** Repeats the same bytes until the other side disconnects. */
async function flood(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  const { socket } = response;
  for (let sent = 0; sent < ENDLESS_BYTES && socket && !socket.destroyed; sent += bytes.length)
    if (!socket.write(bytes))
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          socket.off('drain', goOn).off('close', goOn);
          resolve();
        };
        socket.on('drain', goOn).on('close', goOn);
      });
  socket?.destroy();
}
const CHUNK = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);

const PAGE = '<!doctype html><html><body><form action="/login">Sign in</form></body></html>';

const MUTATIONS = {
  'cut connection': (response, answer, random) => {
    const { status, type, bytes } = answer;
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
    response.write(beginning(answer, random), () => response.socket?.resetAndDestroy());
  },
  'cut text': (response, answer, random) => whole(response, { ...answer, bytes: beginning(answer, random) }),
  empty: (response, answer) => whole(response, { ...answer, bytes: Buffer.alloc(0) }),
  'no content': (response) => void response.writeHead(204).end(),
  'wrong types': withJson((value, random) => wrongSomewhere(value, random, pick([0.005, 0.05, 0.3], random))),
  nulls: withJson((value, random) => nullSomewhere(value, random, pick([0.005, 0.05, 0.3], random))),
  'huge numbers': withJson(hugeNumbers),
  'wrong paging': withJson(wrongPaging),
  'deep value': withJson(depth),
  'another value': withJson((_, random) =>
    pick([null, 5, [], {}, 'text', { data: [] }, { data: {} }], random),
  ),
  page: (response, answer) =>
    whole(response, { ...answer, type: 'text/html; charset=utf-8', bytes: Buffer.from(PAGE) }),
  'page as JSON': (response, answer) => whole(response, { ...answer, bytes: Buffer.from(PAGE) }),
  redirect: (response) => void response.writeHead(302, { location: 'https://login.example/start' }).end(),
  'damaged gzip': (response, { status, type, bytes }, random) => {
    const zipped = Buffer.from(gzipSync(bytes));
    const at = 10 + Math.floor(random() * (zipped.length - 10));
    zipped[at] = (zipped[at] ?? 0) ^ 0xff;
    response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(zipped);
  },
  'no gzip': (response, { status, type, bytes }) =>
    void response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(bytes),
  'gzip bomb': (response, { type }) =>
    void response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb()),
  'endless text': (response) => {
    response.socket?.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    return flood(response, CHUNK);
  },
  'endless error': (response) => {
    response.socket?.write('HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n');
    return flood(response, CHUNK);
  },
  'endless head': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    return flood(response, `X-More: ${'x'.repeat(4_000)}\r\n`.repeat(16));
  },
  'endless trailer': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n');
    return flood(response, `X-More: ${'x'.repeat(4_000)}\r\n`.repeat(16));
  },
  'endless chunk size': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    return flood(response, `1;${'x'.repeat(65_536)}`);
  },
  'endless early hints': (response) =>
    flood(response, 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'.repeat(1_000)),
  'server error': (response, _, random) => {
    const status = pick([500, 502, 503, 504, 520], random);
    const bodies = [
      PAGE,
      '',
      '{"errors":null}',
      '{"errors":[{"message":[]}]}',
      '{"errors":[{"message":"no"}]}',
    ];
    response.writeHead(status, { 'content-type': 'application/json' }).end(pick(bodies, random));
  },
  'other refusal': (response, _, random) => {
    const status = pick([400, 401, 403, 404, 409, 410, 418, 422], random);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"errors":[{"message":"no"}]}');
  },
  'too many': (response, _, random) => {
    const after = pick(['1', '0', '999999999', '-5', 'tomorrow'], random);
    response.writeHead(429, { 'retry-after': after }).end();
  },
  slow: async (response, answer) => {
    const { status, type, bytes } = answer;
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
    response.write(bytes.subarray(0, 1));
    await sleep(SLOW_MS, undefined, { ref: false });
    response.end(bytes.subarray(1));
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type MutationName = keyof typeof MUTATIONS;
export const MUTATION_NAMES = Object.keys(MUTATIONS) as MutationName[];
/** Mutations that would fill the memory of a client that reads everything. */
export const FILLING = MUTATION_NAMES.filter((name) => /^endless|bomb/.test(name));

let madeBomb: Buffer | undefined;
function bomb(): Buffer {
  madeBomb ??= gzipSync(Buffer.alloc(HUGE_BYTES, ' '));
  return madeBomb;
}

/** Keeps texts that are compared and not shown; otherwise nothing would reach a screen. */
const isCompared = (name: string, text: string): boolean =>
  /(?:^|_)(?:id|at|type|status|kind|severity|next)s?$/i.test(name) || /^\d{4}-\d\d-\d\dT|^\{/.test(text);

function hostileTexts(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isCompared(name, value) ? value : `${value}${HOSTILE_TEXT}`;
  if (Array.isArray(value)) return value.map((each) => hostileTexts(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hostileTexts(each, key)]));
}

export async function startMutatingProxy(service: string): Promise<MutatingProxy> {
  let random: Random = () => 0;
  const done: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        ['host', 'connection', 'content-length', 'accept-encoding'].includes(name)
          ? []
          : [[name, String(value)]],
      );
      const came = await fetch(service + request.url, {
        method: request.method,
        headers: headers.concat([['accept-encoding', 'identity']]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const answer: Answer = {
        status: came.status,
        type: came.headers.get('content-type') ?? 'application/json',
        headers: Object.fromEntries(
          ['etag', 'location', 'retry-after'].flatMap((name) => {
            const value = came.headers.get(name);
            return value === null ? [] : [[name, value]];
          }),
        ),
        bytes: Buffer.from(await came.arrayBuffer()),
      };
      const { mode, part } = proxy;
      if (mode === 'whole') return whole(response, answer);
      if (mode === 'hostile texts')
        return await withJson((value) => hostileTexts(value))(response, answer, random);
      if (random() >= part) return whole(response, answer);
      const name = pick(mode, random);
      done.push(`${name}: ${request.method} ${request.url?.slice(0, 120)}`);
      await MUTATIONS[name](response, answer, random);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: MutatingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ mode: 'whole', part: 0.3, done },
    seed(seed) {
      const stream = randomStream(seed, 'spoiled answers');
      let draws = 0;
      random = () => stream(draws++);
      done.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
