/**
 * Advice for operators: settings of the service, its machine and its database that work, but are unsafe or slow. Each is logged once at the
 * start, and shown by `clew doctor` and the page Administration. Rule: `docs/operations.md#advice`.
 */
import type { AdviceRecord } from '@clew/api';
import { isLoopback } from '@clew/common';

export type Advice = AdviceRecord;

export interface Surroundings {
  /** Whether it answers users: a worker only answers health checks and metrics. */
  readonly answersUsers: boolean;
  /** Address on which it listens. */
  readonly host: string;
  /** Whether a proxy is trusted. */
  readonly isProxied: boolean;
  /** The public address, if known. */
  readonly publicUrl: string | undefined;
  /** Undefined if the data directory is missing, which is possible with an external PostgreSQL. */
  readonly disk: { readonly directory: string; readonly freeBytes: number } | undefined;
  /** Memory of the machine or the container. */
  readonly memoryBytes: number;
  /** Number of objects in the newest graph. */
  readonly objects: number;
  /** `always`, `madvise` or `never`; undefined if the system has no such file. */
  readonly hugePages: string | undefined;
  /** Seconds by which the database clock is ahead; 0 for the embedded database. */
  readonly clockAhead: number;
  /** Settings of an external PostgreSQL, in the units of `pg_settings`; undefined for the embedded database. */
  readonly database: DatabaseSettings | undefined;
}

export interface DatabaseSettings {
  readonly fsync: boolean;
  readonly synchronousCommit: string;
  readonly fullPageWrites: boolean;
  readonly autovacuum: boolean;
  readonly sharedBuffersBytes: number;
  /** Connections available to this user within the limits, without those of other users. */
  readonly connections: number;
  /** Connections of all service processes, including this one. */
  readonly ownConnections: number;
}

const GIB = 2 ** 30;
/** A graph of a million objects took 3 GB (docs/operations.md#sizes): bytes per object, and for an empty service. */
const BYTES_PER_OBJECT = 2700;
const BYTES_OF_SERVICE = GIB / 2;
/** Uploads, their rows and the write-ahead log need space in addition to what is kept free. */
const MIN_FREE_BYTES = 5 * GIB;
/** Signed requests contain a time, and sessions expire. */
const MAX_CLOCK_SECONDS = 5;
const MIN_SHARED_BUFFERS = 128 * 2 ** 20;
/** Maximum number of connections of one process; docs/operations.md#your-own-postgresql lists them. */
const MAX_CONNECTIONS = 55;
/** Additional connections for a starting or busy process. */
const SPARE_CONNECTIONS = 30;
const HUGE_PAGES_FROM = 50_000;

const gigabytes = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

/** @returns advice, most urgent first */
export function adviceFor(found: Surroundings): readonly Advice[] {
  return [...reachAdvice(found), ...machineAdvice(found), ...databaseAdvice(found)];
}

function* reachAdvice({ answersUsers, host, isProxied, publicUrl }: Surroundings): Iterable<Advice> {
  if (!answersUsers) return;
  if (publicUrl?.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname))
    yield {
      about: 'tls',
      text: `CLEW_PUBLIC_URL is ${publicUrl}: without TLS, passwords and tokens can be read in transit. Make the proxy answer only https, and change the address.`,
    };
  else if (!isLoopback(host) && !isProxied)
    yield {
      about: 'tls',
      text: `The service can be reached at ${host} without TLS: passwords and tokens can be read in transit. Use a proxy with TLS, and set CLEW_TRUSTED_PROXIES and CLEW_PUBLIC_URL.`,
    };
}

function* machineAdvice(found: Surroundings): Iterable<Advice> {
  const { disk, memoryBytes, objects, hugePages, clockAhead } = found;
  if (disk !== undefined && disk.freeBytes < MIN_FREE_BYTES)
    yield {
      about: 'disk',
      text: `Only ${gigabytes(disk.freeBytes)} are free on the disk of ${disk.directory}. Uploads are refused when it is nearly full: free disk space, or move CLEW_DATA_DIR.`,
    };
  const needed = BYTES_OF_SERVICE + objects * BYTES_PER_OBJECT;
  if (memoryBytes < needed)
    yield {
      about: 'memory',
      text: `The machine or container has ${gigabytes(memoryBytes)} of memory, but a graph of ${objects} objects needs ${gigabytes(needed)}. Add memory: otherwise, the service may be killed during an analysis.`,
    };
  if (hugePages === 'never' && objects >= HUGE_PAGES_FROM)
    yield {
      about: 'pages',
      text: 'Large memory pages are off, so building and searching graphs takes about one and a half times as long: write madvise to /sys/kernel/mm/transparent_hugepage/enabled.',
    };
  if (Math.abs(clockAhead) > MAX_CLOCK_SECONDS)
    yield {
      about: 'clock',
      text: `The clock of the database is ${Math.abs(Math.round(clockAhead))} s ${clockAhead > 0 ? 'ahead of' : 'behind'} the clock of this machine. Sessions, signed requests and rate limits need the same time: synchronize both with a time server.`,
    };
}

function* databaseAdvice({ database }: Surroundings): Iterable<Advice> {
  if (database === undefined) return;
  const say = (text: string): Advice => ({ about: 'database', text });
  const unsafe = [
    ...(database.fsync ? [] : ['fsync']),
    ...(database.fullPageWrites ? [] : ['full_page_writes']),
  ];
  if (unsafe.length > 0)
    yield say(
      `${unsafe.join(' and ')} of PostgreSQL ${unsafe.length === 1 ? 'is' : 'are'} off: a power failure can destroy all data. Turn ${unsafe.length === 1 ? 'it' : 'them'} on.`,
    );
  if (database.synchronousCommit === 'off')
    yield say(
      'synchronous_commit of PostgreSQL is off: if its server fails, the last acknowledged uploads are lost. Set it to on.',
    );
  if (!database.autovacuum)
    yield say('autovacuum of PostgreSQL is off: tables grow and become slow. Turn it on.');
  if (database.sharedBuffersBytes < MIN_SHARED_BUFFERS)
    yield say(
      'shared_buffers of PostgreSQL is below 128 MB: ingest and lists are slow. A quarter of the memory of its machine is usual.',
    );
  const free = database.connections - database.ownConnections;
  if (free < SPARE_CONNECTIONS)
    yield say(
      `PostgreSQL allows this user ${database.connections} connections, and the service uses ${database.ownConnections}. Each process needs up to ${MAX_CONNECTIONS}: raise max_connections, or the limit of the user.`,
    );
}
