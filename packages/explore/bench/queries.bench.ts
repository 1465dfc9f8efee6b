/**
 * Measures the read side on a synthetic directory: first pages of all related lists, entities with all counts, search, paths. Runs the
 * handlers like a request, but without HTTP and the database. Also measures the longest delay of the event loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { ENTITY_KINDS, type EntityKindContract } from '@clew/api';
import type { AnyAnswer, HandlerTable, RequestContext } from '@clew/common';
import type { QueryServices } from '@clew/explore';
import { appearanceOf, createQueryServices, exploreHandlers } from '@clew/explore/testing';
import { nameOf, objectIdOf } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import { buildSearchIndex, queryDataOf, type SearchIndex, warmUp } from '@clew/queries';
import { pino } from 'pino';

import { type DirectoryGraph, directoryGraph } from './directoryGraph.ts';

interface Result {
  readonly name: string;
  readonly figures: Record<string, number | string>;
}

const SIZES = { small: [10_000, 100_000], large: [1_000_000] } as const;
const CALLS = { objects: 100, searches: 2_000, paths: 300 };

export default {
  name: 'service: queries',
  async run({ scale }: { readonly scale: keyof typeof SIZES }): Promise<Result[]> {
    const results: Result[] = [];
    for (const size of SIZES[scale]) {
      for (const { name, figures } of await measure(directoryGraph(size))) {
        results.push({ name: `${size.toLocaleString('en-US')} nodes: ${name}`, figures });
      }
    }
    return results;
  },
};

async function measure(directory: DirectoryGraph): Promise<Result[]> {
  const { generation } = directory;
  const services = createQueryServices({
    generations: { current: () => generation, onSwap: () => () => {}, beforeSwap: () => () => {} },
    properties: { read: async () => new Map(), readTexts: async () => new Map() },
    ratings: async () => new Map(),
    unread: async () => new Map(),
    rules: 'clean',
    looks: { read: async () => appearanceOf },
    nodeTexts: async () => ({
      nodes: new Uint32Array(),
      texts: { bytes: new Uint8Array(), offsets: new Uint32Array(1) },
    }),
    // The measured code does not use a database.
    exports: undefined as never,
    database: undefined as never,
  });
  const handlers = exploreHandlers(services, () => Promise.reject(new Error('no bench asks for efforts')));
  try {
    await expectRightAnswers(directory, handlers);
    const index = measureIndex(services, directory);
    await warmUp(services, generation, new AbortController().signal);
    const samples = new Map(ENTITY_KINDS.map((entity) => [entity, sampleOf(directory, entity)]));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const results = [
      index,
      ...(await measureLists(samples, handlers)),
      ...(await measureEntities(samples, handlers)),
      ...(await measureSearch(directory, handlers)),
      await measurePaths(directory, handlers),
    ];
    delay.disable();
    return [
      { name: 'graph', figures: { edges: generation.graph.edgeCount } },
      ...results,
      { name: 'event loop', figures: { 'longest delay (ms)': round(delay.max / 1e6) } },
    ];
  } finally {
    await services.close();
  }
}

type Call = (params: Record<string, string>, query?: Record<string, unknown>) => Promise<AnyAnswer>;

function callOf(handlers: HandlerTable, operationId: string): Call {
  const context = {
    requestId: '',
    principal: {
      kind: 'user',
      userId: '',
      name: '',
      email: null,
      role: '',
      permissions: new Set<string>(),
      environments: null,
    },
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    log: pino({ level: 'silent' }),
    clientAddress: '',
    peerAddress: '',
    publicUrl: '',
    headers: {},
  } satisfies RequestContext;
  return (params, query = {}) =>
    handlers[operationId]({ params, query, rawQuery: new URLSearchParams(), body: undefined }, context);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const jsonOf = (answer: AnyAnswer): any => ('json' in answer ? answer.json : undefined);

const FIRST_PAGE = { skip: 0, limit: 10, type: 'list', connecting: false };

/** Compares the result with the plan of the graph. */
async function expectRightAnswers(directory: DirectoryGraph, handlers: HandlerTable): Promise<void> {
  const { graph } = directory.generation;
  const idOf = (node: number): { object_id: string } => ({ object_id: objectIdOf(graph, node) });
  const count = async (operationId: string, node: number): Promise<number> =>
    jsonOf(await callOf(handlers, operationId)(idOf(node), FIRST_PAGE)).count;
  expectEqual(
    'users of the domain',
    await count('GetDomainEntityUsers', directory.domain),
    directory.userCount,
  );
  expectEqual(
    'members of Domain Users',
    await count('GetGroupEntityMembers', directory.domainUsers),
    directory.userCount,
  );
  const [user] = directory.nodesOf('User');
  const entity = jsonOf(await callOf(handlers, 'GetUserEntity')(idOf(user), { counts: true }));
  expectEqual(
    'controllers of a user',
    await count('GetUserEntityControllers', user),
    entity.data.controllers,
  );
  const hits = jsonOf(
    await callOf(handlers, 'Search')({}, { q: objectIdOf(graph, user), skip: 0, limit: 10 }),
  );
  expectEqual('search by object id', hits.data[0].objectid, objectIdOf(graph, user));
}

function measureIndex(services: QueryServices, { generation }: DirectoryGraph): Result {
  const began = performance.now();
  const index = buildSearchIndex(queryDataOf(services.generations.current()));
  const ms = performance.now() - began;
  expectEqual('nodes in the search index', index.count, generation.graph.nodeCount);
  const megabytes = searchIndexBytes(index) / 2 ** 20;
  return {
    name: 'search index',
    figures: {
      'build (ms)': round(ms),
      'size (MB)': round(megabytes),
      'bytes per node': Math.round(searchIndexBytes(index) / index.count),
    },
  };
}

/** Object ids of some objects of each kind, evenly distributed. */
type Samples = ReadonlyMap<EntityKindContract, readonly string[]>;

async function measureLists(samples: Samples, handlers: HandlerTable): Promise<Result[]> {
  const results: Result[] = [];
  for (const [entity, roots] of samples) {
    for (const { key, operationId } of entity.related) {
      const call = callOf(handlers, operationId);
      let most = 0;
      const times = await timesOf(roots, async (object_id) => {
        most = Math.max(most, jsonOf(await call({ object_id }, FIRST_PAGE)).count);
      });
      results.push({ name: `list ${key}`, figures: { ...summary(times), 'most entries': most } });
    }
  }
  return results;
}

async function measureEntities(samples: Samples, handlers: HandlerTable): Promise<Result[]> {
  const results: Result[] = [];
  for (const [entity, roots] of samples) {
    const call = callOf(handlers, entity.operationId);
    const times = await timesOf(roots, async (object_id) => {
      const { data } = jsonOf(await call({ object_id }, { counts: true }));
      for (const { countKey } of entity.related) expectEqual(countKey, typeof data[countKey], 'number');
    });
    results.push({ name: `entity ${entity.segment}`, figures: summary(times) });
  }
  return results;
}

/** Each kind of search, as fast as one caller can send them. */
async function measureSearch(directory: DirectoryGraph, handlers: HandlerTable): Promise<Result[]> {
  const { graph } = directory.generation;
  const random = newRandom(7);
  const anyNode = (): number => Math.floor(random() * graph.nodeCount);
  const cut = (text: string, length: number): string => {
    const from = Math.floor(random() * Math.max(1, text.length - length));
    return text.slice(from, from + length);
  };
  const questions: Record<string, () => Record<string, unknown>> = {
    'by object id': () => ({ q: objectIdOf(graph, anyNode()) }),
    'by name': () => ({ q: nameOf(graph, anyNode()) }),
    'by 8 characters of a name': () => ({ q: cut(nameOf(graph, anyNode()), 8) }),
    'by 3 characters of a name': () => ({ q: cut(nameOf(graph, anyNode()), 3) }),
    'by 2 characters': () => ({ q: cut(nameOf(graph, anyNode()), 2) }),
    'by 1 character': () => ({ q: cut(nameOf(graph, anyNode()), 1) }),
    'by 6 characters of an object id': () => ({ q: cut(objectIdOf(graph, anyNode()), 6) }),
    'by a domain SID': () => ({ q: objectIdOf(graph, directory.domain) }),
    'for a rare kind': () => ({ q: cut(nameOf(graph, anyNode()), 3), type: ['CertTemplate'] }),
    'without a hit': () => ({ q: `${cut(nameOf(graph, anyNode()), 4)}#${cut(nameOf(graph, anyNode()), 4)}` }),
  };
  const call = callOf(handlers, 'Search');
  const results: Result[] = [];
  for (const [name, question] of Object.entries(questions)) {
    const asked = Array.from({ length: CALLS.searches }, question);
    const times = await timesOf(asked, async (query) => {
      await call({}, { skip: 0, limit: 10, ...query });
    });
    const seconds = times.reduce((sum, time) => sum + time, 0) / 1000;
    results.push({
      name: `search ${name}`,
      figures: { 'requests/s': Math.round(asked.length / seconds), ...summary(times) },
    });
  }
  return results;
}

async function measurePaths(directory: DirectoryGraph, handlers: HandlerTable): Promise<Result> {
  const { graph } = directory.generation;
  const random = newRandom(11);
  const anyId = (): string => objectIdOf(graph, Math.floor(random() * graph.nodeCount));
  const pairs = Array.from({ length: CALLS.paths }, () => ({ start_node: anyId(), end_node: anyId() }));
  const call = callOf(handlers, 'GetShortestPath');
  let found = 0;
  const times = await timesOf(pairs, async (pair) => {
    try {
      await call({}, pair);
      found++;
    } catch (error) {
      if ((error as { code?: string }).code !== 'pathNotFound') throw error;
    }
  });
  return { name: 'shortest path', figures: { ...summary(times), 'paths found': found } };
}

function sampleOf({ generation, nodesOf }: DirectoryGraph, { kind }: EntityKindContract): readonly string[] {
  const nodes = nodesOf(kind);
  const step = Math.max(1, Math.floor(nodes.length / CALLS.objects));
  return nodes.filter((_, at) => at % step === 0).map((node) => objectIdOf(generation.graph, node));
}

/**
 * Calls each item once and in sequence: the cache only has values prepared at the start. Every call has its own turn of the event loop,
 * like a request; otherwise, fast answers would add up to one long delay.
 * @returns times in milliseconds
 */
async function timesOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<Float64Array> {
  const times = new Float64Array(all.length);
  for (let at = 0; at < all.length; at++) {
    const began = performance.now();
    await work(all[at]);
    times[at] = performance.now() - began;
    await turn();
  }
  return times;
}

function summary(times: Float64Array): Record<string, number> {
  const sorted = times.toSorted();
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  return { 'p50 (ms)': at(0.5), 'p99 (ms)': at(0.99), 'longest (ms)': at(1) };
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (!Object.is(found, expected)) throw new Error(`${what}: ${String(found)}, expected ${String(expected)}`);
}

function round(value: number): number {
  return value < 10 ? Math.round(value * 1000) / 1000 : Math.round(value);
}

/** @returns bytes of memory used by the index */
function searchIndexBytes(index: SearchIndex): number {
  const lists = [...index.nameGrams.byLength, ...index.idGrams.byLength];
  return (
    index.nodeOfRank.byteLength +
    index.rankOfNode.byteLength +
    index.localGroups.byteLength +
    index.names.bytes.byteLength +
    index.names.offsets.byteLength +
    (index.kindSetBlocks ?? []).reduce((sum, { byteLength }) => sum + byteLength, 0) +
    lists.reduce((sum, { offsets, blocks }) => sum + offsets.byteLength + blocks.byteLength, 0)
  );
}
