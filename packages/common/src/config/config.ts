/**
 * Configuration of the service: environment variables in one table, which are read and checked once at the start. Every fault is reported
 * with one clear message, not only the first.
 */

import { homedir, totalmem } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { MAX_STEP_EFFORT } from '@clew/analysis';
import { CLIENT_VARIABLES, type Edition } from '@clew/api';
import { ATTACK_EFFORTS, likelyName, RULES_MODES, type TraversableKindName } from '@clew/model';
import { DEFAULT_COSTS, type RepairKind } from '@clew/planning';
import type { TrustedProxies } from '../operation/clientAddress.ts';
import * as parse from './configValues.ts';
import { SECRET_VARIABLES, type SecretVariable, secretOf } from './secretFiles.ts';

export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export const EDITIONS = ['enterprise', 'community'] as const satisfies readonly Edition[];
export const SIGNATURE_SCHEMES = ['svcsignature', 'bhesignature'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absent: Bolt is off. */
  readonly boltPort?: number;
  readonly role: Role;
  readonly dataDir: string;
  /** If absent, the embedded PostgreSQL in the data directory is used. */
  readonly databaseUrl?: string;
  /** Address of a standby of the database, from which graphs are loaded. */
  readonly replicaUrl?: string;
  /** If absent, a key file in the data directory is used. */
  readonly secretKey?: string;
  readonly adminName: string;
  readonly adminEmail: string;
  /** If absent, it is generated at the first start. */
  readonly adminPassword?: string;
  /** Seconds between the request to stop and the last accepted request. */
  readonly stopDelay: number;
  readonly sessionHours: number;
  readonly edition: Edition;
  readonly rules: (typeof RULES_MODES)[number];
  /** Requests per second, for each client address, principal and operation; 0 turns the limit off. */
  readonly rateLimit: number;
  readonly bypassLimits: boolean;
  readonly publicUrl?: string;
  /** Networks of identity providers, in addition to public addresses. */
  readonly ssoNetworks: parse.Networks;
  readonly webhookNetworks: parse.Networks;
  /** Costs of kinds of repairs in plans that differ from the defaults. */
  readonly planCosts: Readonly<Partial<Record<RepairKind, number>>>;
  /** Attack efforts of relationship kinds that differ from the table. */
  readonly attackEfforts: Readonly<Partial<Record<TraversableKindName, number>>>;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: TrustedProxies;
  readonly originalTargetHeader?: string;
  /** Bearer token that may only read `/metrics`. */
  readonly metricsToken?: string;
  /** Receiver of OpenTelemetry; absent: no traces. */
  readonly tracesUrl?: string;
  readonly signatureSchemes: readonly (typeof SIGNATURE_SCHEMES)[number][];
  /** Days after which objects and edges that scheduled collectors no longer report are pruned; 0 keeps them. */
  readonly pruneDays: number;
  /** The same for logon sessions. */
  readonly logonSessionDays: number;
  /** Retention of audit log entries in days; 0 keeps them. */
  readonly auditDays: number;
  /** Retention of collector jobs and their logs in days; 0 keeps them. */
  readonly jobDays: number;
  readonly differenceDays: number;
  /** Absent: no scheduled backups. */
  readonly backups?: {
    readonly directory: string;
    /** Hours from one to the next. */
    readonly hours: number;
    /** Backups that stay in the directory. */
    readonly keep: number;
    readonly passphrase?: string;
    /** Whether they hold the secret key. */
    readonly withKey: boolean;
  };
  readonly limits: {
    /** Maximum bytes of one uploaded file, both as sent and after decoding its Content-Encoding. */
    readonly uploadBytes: number;
    /** Maximum bytes of uploads that wait for ingest or for another attempt. */
    readonly waitingBytes: number;
    /** Maximum bytes of signed bodies from one address that are kept until their signature is checked. */
    readonly unprovenBytes: number;
    /** Bytes of free disk space that uploads must leave. */
    readonly freeBytes: number;
    /** Maximum number of simultaneous connections. */
    readonly connections: number;
    /** Connections of Bolt at once. */
    readonly boltConnections: number;
    /** Time limit in minutes for reading one file during ingest. */
    readonly fileMinutes: number;
    readonly archiveEntries: number;
    readonly archiveBytes: number;
    readonly archiveRatio: number;
    /** Maximum number of rows, paths and groups that one Cypher query keeps. */
    readonly cypherRows: number;
    /** Maximum number of values, objects and edges in the answer to one Cypher query. */
    readonly cypherAnswer: number;
    /** Maximum number of edges that one Cypher query visits. */
    readonly cypherSteps: number;
    /** Memory limit, in bytes, of a thread that runs Cypher queries. */
    readonly cypherBytes: number;
    /** Time limit, in seconds, of the query of one zone selector. */
    readonly selectorSeconds: number;
    /** Memory limit, in bytes, of a thread that computes plans. */
    readonly planBytes: number;
  };
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

interface Setting<T> {
  readonly name: string;
  /** Value if the variable is unset, as a user would write it; `undefined` for none. */
  readonly byDefault?: string;
  /** Default in the documentation if `byDefault` is missing. */
  readonly unset?: string;
  readonly meaning: string;
  /** @throws Error whose message completes "NAME ..." */
  readonly parse: (text: string) => T;
}

const setting = <T>(
  name: string,
  byDefault: string,
  meaning: string,
  parseText: (text: string) => T,
): Setting<T> => ({ name, byDefault, meaning, parse: parseText });

const optional = <T>(
  name: string,
  unset: string,
  meaning: string,
  parseText: (text: string) => T,
): Setting<T | undefined> => ({ name, unset, meaning, parse: parseText });

const MIN_PLAN_BYTES = 4 * 2 ** 30;
const MIN_CYPHER_BYTES = 256 * 2 ** 20;
const MAX_CYPHER_BYTES = 2 * 2 ** 30;

/** Memory of the machine in bytes, or the limit of a container if it is lower. */
export const machineMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

const shareOfMemory = (part: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(machineMemory() / part)));

const SETTINGS = {
  host: setting('CLEW_HOST', '127.0.0.1', 'Address to listen on', parse.text),
  port: setting('CLEW_PORT', '8080', 'Port to listen on; 0 uses a free port', parse.integer(0, 65_535)),
  boltPort: optional(
    'CLEW_BOLT_PORT',
    'none: Bolt is off',
    'Port of `CLEW_HOST` for Bolt clients (the protocol of graph databases), usually 7687; 0 uses a free port (`docs/bolt.md`)',
    parse.integer(0, 65_535),
  ),
  role: setting(
    'CLEW_ROLE',
    'all',
    '`api` answers requests, `worker` ingests and analyzes, `all` does both',
    parse.oneOf(ROLES),
  ),
  dataDir: optional(
    'CLEW_DATA_DIR',
    '`$XDG_DATA_HOME/clew` or `~/.local/share/clew`; `~/Library/Application Support/clew` on macOS; `%LOCALAPPDATA%\\clew` on Windows',
    'Directory of the embedded database and the secret key',
    parse.text,
  ),
  databaseUrl: optional(
    'CLEW_DATABASE_URL',
    'embedded PostgreSQL in the data directory',
    'PostgreSQL to use, `postgres://user:password@host/database`; of several servers, `host1,host2:5433`, the one that accepts writes',
    parse.databaseUrl,
  ),
  replicaUrl: optional(
    'CLEW_REPLICA_URL',
    'none: the database',
    'Standby of that PostgreSQL server from which processes load published graphs; if it is behind or fails, they use the database',
    parse.databaseUrl,
  ),
  secretKey: optional(
    'CLEW_SECRET_KEY',
    'a generated file `secret.key` in the data directory',
    'Root of the keys that encrypt secrets and sign sessions, at least 32 characters',
    parse.secretKey,
  ),
  adminName: setting('CLEW_ADMIN_NAME', 'admin', 'Name of the first administrator', parse.text),
  // Strict clients reject users without an address. Mail below `invalid` is never delivered.
  adminEmail: setting(
    'CLEW_ADMIN_EMAIL',
    'admin@clew.invalid',
    'E-mail address of the first administrator',
    parse.text,
  ),
  adminPassword: optional(
    'CLEW_ADMIN_PASSWORD',
    'generated at the first start, and printed at each start until it is used',
    'Password of the first administrator',
    parse.text,
  ),
  stopDelay: setting(
    'CLEW_STOP_DELAY',
    '0',
    'Seconds that the service continues to answer after a stop request, while `/readyz` reports it: longer than a load balancer needs to notice',
    parse.integer(0, 600),
  ),
  sessionHours: setting(
    'CLEW_SESSION_HOURS',
    '8',
    'Hours until a session expires',
    parse.integer(1, 24 * 365),
  ),
  edition: setting('CLEW_EDITION', 'enterprise', '`enterprise` or `community`', parse.oneOf(EDITIONS)),
  rules: setting(
    'CLEW_RULES',
    'clean',
    '`clean` gives the answers that are right for a defender, `parity` those of existing tools',
    parse.oneOf(RULES_MODES),
  ),
  rateLimit: setting(
    'CLEW_RATE_LIMIT',
    '55',
    'Requests per second for each client address, principal and operation; 0 turns all rate limits off',
    parse.integer(0, 1_000_000),
  ),
  bypassLimits: setting(
    'CLEW_BYPASS_LIMITS',
    'false',
    'Whether `Prefer: wait=-1` can lift the time limit of a request',
    parse.boolean,
  ),
  publicUrl: optional(
    'CLEW_PUBLIC_URL',
    'taken from each request',
    'Address of the service as its users see it, `https://clew.example.com`; assistants need it for sign-in in the browser',
    parse.httpUrl,
  ),
  corsOrigins: setting(
    'CLEW_CORS_ORIGINS',
    '',
    'Origins of web pages that can call the service, comma-separated',
    parse.origins,
  ),
  trustedProxies: setting(
    'CLEW_TRUSTED_PROXIES',
    '0',
    'Reverse proxies whose `X-Forwarded-*` headers are trusted: their number, or their addresses and networks, comma-separated',
    parse.trustedProxies,
  ),
  originalTargetHeader: optional(
    'CLEW_ORIGINAL_TARGET_HEADER',
    'none',
    'Header in which a trusted proxy that rewrites paths sends the original request target; the proxy must overwrite values that clients send',
    parse.headerName,
  ),
  metricsToken: optional(
    'CLEW_METRICS_TOKEN',
    'none: only callers on the same machine, without a proxy, and users who can read the configuration',
    'Bearer token with which a metrics collector reads `/metrics`, at least 32 characters',
    parse.secretKey,
  ),
  tracesUrl: optional(
    'CLEW_TRACES_URL',
    'none: no traces',
    'Receiver of traces, OTLP over HTTP as JSON, `http://127.0.0.1:4318` (`docs/operations.md#traces`)',
    parse.tracesUrl,
  ),
  ssoNetworks: setting(
    'CLEW_SSO_NETWORKS',
    '',
    'Networks in which identity providers can be called, in addition to public addresses, comma-separated: `10.0.0.0/8`',
    parse.networks,
  ),
  webhookNetworks: setting(
    'CLEW_WEBHOOK_NETWORKS',
    '',
    'Networks in which webhooks can be called, in addition to public addresses, also without HTTPS, comma-separated: `10.0.0.0/8`',
    parse.networks,
  ),
  planCosts: setting(
    'CLEW_PLAN_COSTS',
    '',
    'Costs of repairs in plans, by kind, 1 to 1000: `remove-member=5,keep-off=2`; plans avoid expensive repairs (`docs/plan.md`)',
    parse.amounts(Object.keys(DEFAULT_COSTS) as RepairKind[], 1, 1000),
  ),
  attackEfforts: setting(
    'CLEW_ATTACK_EFFORTS',
    '',
    'Attack effort of relationships, by kind, 0 to 32: `CanRDP=4,HasSession=2` (`docs/rules.md#attack-effort`)',
    parse.amounts([...ATTACK_EFFORTS.keys()], 0, MAX_STEP_EFFORT),
  ),
  signatureSchemes: setting(
    'CLEW_SIGNATURE_SCHEMES',
    'svcsignature,bhesignature',
    'Scheme names of signed requests',
    parse.someOf(SIGNATURE_SCHEMES),
  ),
  pruneDays: setting(
    'CLEW_PRUNE_DAYS',
    '7',
    'Days after which objects and edges are deleted if scheduled collectors have not seen them again; 0 keeps them. Data from manual uploads is kept',
    parse.integer(0, 3650),
  ),
  logonSessionDays: setting(
    'CLEW_LOGON_SESSION_DAYS',
    '3',
    'The same for logon sessions on computers',
    parse.integer(0, 3650),
  ),
  auditDays: setting(
    'CLEW_AUDIT_DAYS',
    '365',
    'Days that entries of the audit log are kept; 0 keeps them',
    parse.integer(0, 36_500),
  ),
  jobDays: setting(
    'CLEW_JOB_DAYS',
    '90',
    'Days that jobs of collectors and their logs are kept; 0 keeps them',
    parse.integer(0, 36_500),
  ),
  differenceDays: setting(
    'CLEW_DIFFERENCE_DAYS',
    '90',
    'Days that the changes between analyses are kept; 0 keeps them',
    parse.integer(0, 36_500),
  ),
  backupDirectory: optional(
    'CLEW_BACKUP_DIR',
    'none: no backups on a schedule',
    'Existing directory for scheduled backups (`docs/operations.md#backups-on-a-schedule`); the same in all processes',
    parse.text,
  ),
  backupHours: setting(
    'CLEW_BACKUP_HOURS',
    '24',
    'Hours between scheduled backups',
    parse.integer(1, 24 * 365),
  ),
  backupKeep: setting(
    'CLEW_BACKUP_KEEP',
    '14',
    'Number of backups of this installation to keep in the directory; older ones are deleted',
    parse.integer(1, 10_000),
  ),
  backupPassphrase: optional(
    'CLEW_BACKUP_PASSPHRASE',
    'none: readable by anyone who has the file',
    'Passphrase that encrypts backups, including those of `clew admin backup`, at least 12 characters',
    parse.passphrase,
  ),
  backupWithKey: setting(
    'CLEW_BACKUP_WITH_KEY',
    'false',
    'Whether scheduled backups contain the secret key; needs `CLEW_BACKUP_PASSPHRASE`',
    parse.boolean,
  ),
  uploadBytes: setting(
    'CLEW_MAX_UPLOAD',
    '4GiB',
    'Maximum size of an uploaded file, after its Content-Encoding is decoded',
    parse.bytes,
  ),
  waitingBytes: setting(
    'CLEW_MAX_WAITING_UPLOADS',
    '64GiB',
    'Maximum total size of uploads that wait for ingest; further uploads are refused until others are done',
    parse.bytes,
  ),
  unprovenBytes: setting(
    'CLEW_MAX_UNVERIFIED',
    '256MiB',
    'Maximum size of the bodies of signed requests that are held for one client address before their signatures are checked: also the maximum signed upload',
    parse.bytes,
  ),
  freeBytes: setting(
    'CLEW_MIN_FREE_SPACE',
    '256MiB',
    'Disk space in the data directory that uploads leave free',
    parse.bytes,
  ),
  connections: setting(
    'CLEW_MAX_CONNECTIONS',
    '2000',
    'Maximum number of connections; one address can have a quarter of them, proxies in `CLEW_TRUSTED_PROXIES` all',
    parse.integer(16, 100_000),
  ),
  boltConnections: setting(
    'CLEW_MAX_BOLT_CONNECTIONS',
    '400',
    'The same for Bolt connections',
    parse.integer(16, 100_000),
  ),
  fileMinutes: setting(
    'CLEW_MAX_FILE_MINUTES',
    '60',
    'Minutes that ingest can take to read one file; the rest of the file is skipped and reported',
    parse.integer(1, 10_000),
  ),
  archiveEntries: setting(
    'CLEW_MAX_ARCHIVE_ENTRIES',
    '10000',
    'Maximum number of entries in an uploaded archive',
    parse.integer(1, 1_000_000),
  ),
  archiveBytes: setting(
    'CLEW_MAX_ARCHIVE',
    '64GiB',
    'Maximum total size of the files in an archive',
    parse.bytes,
  ),
  archiveRatio: setting(
    'CLEW_MAX_ARCHIVE_RATIO',
    '300',
    'Maximum compression ratio of a file in an archive, and of a request body',
    parse.integer(1, 1100),
  ),
  cypherRows: setting(
    'CLEW_CYPHER_MAX_ROWS',
    '2000000',
    'Maximum number of rows, paths and groups that one Cypher query holds',
    parse.integer(1000, 100_000_000),
  ),
  cypherAnswer: setting(
    'CLEW_CYPHER_MAX_ANSWER',
    '100000',
    'Maximum number of values, and of objects with edges, in the answer to one Cypher query',
    parse.integer(1000, 10_000_000),
  ),
  cypherSteps: setting(
    'CLEW_CYPHER_MAX_STEPS',
    '2000000000',
    'Maximum number of edges that one Cypher query visits',
    parse.integer(1000, Number.MAX_SAFE_INTEGER),
  ),
  cypherBytes: optional(
    'CLEW_CYPHER_MEMORY',
    'an eighth of the memory of the machine, `256MiB` to `2GiB`',
    'Memory of a thread that runs Cypher queries, in addition to the graph. There are up to eight: one for short queries, three for long ones, one for previews, one for selectors, and two for layers',
    parse.bytes,
  ),
  selectorSeconds: setting(
    'CLEW_SELECTOR_SECONDS',
    '30',
    'Seconds that the query of a zone selector can take; all queries of one analysis can take twice as many together',
    parse.integer(1, 3600),
  ),
  planBytes: optional(
    'CLEW_PLAN_MEMORY',
    'half of the memory of the machine, at least `4GiB`',
    'Memory of a planning thread, in addition to the graph; a million objects took about 9 GiB',
    parse.bytes,
  ),
  logLevel: setting(
    'CLEW_LOG_LEVEL',
    'info',
    LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
    parse.oneOf(LOG_LEVELS),
  ),
};

/** The table for the documentation. */
export const CONFIGURATION_TABLE: readonly {
  readonly name: string;
  readonly byDefault: string;
  readonly meaning: string;
}[] = Object.values(SETTINGS as Record<string, Setting<unknown>>).map(
  ({ name, byDefault, unset, meaning }) => ({ name, byDefault: unset ?? (byDefault || 'none'), meaning }),
);

/** All faults of the configuration, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = {
  readonly [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['parse']>;
};

/** @throws ConfigError with all faults */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { name, byDefault, parse: parseText }] of Object.entries(
    SETTINGS as Record<string, Setting<unknown>>,
  )) {
    let text: string | undefined;
    try {
      text = (isSecret(name) ? secretOf(env, name) : env[name]?.trim()) || byDefault;
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (text === undefined) continue;
    try {
      values[key] = parseText(text);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
    }
  }
  if (values.replicaUrl !== undefined && values.databaseUrl === undefined)
    faults.push('CLEW_REPLICA_URL has no effect without CLEW_DATABASE_URL');
  if (values.backupWithKey === true && values.backupPassphrase === undefined)
    faults.push(
      'CLEW_BACKUP_WITH_KEY needs CLEW_BACKUP_PASSPHRASE: a secret key is never stored unencrypted',
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return assemble(values as Values, env);
}

const isSecret = (name: string): name is SecretVariable =>
  (SECRET_VARIABLES as readonly string[]).includes(name);

const PREFIX = 'CLEW_';
/** Variables of the service and of the command line: both may be in one environment. */
const KNOWN_VARIABLES: ReadonlySet<string> = new Set([
  ...CONFIGURATION_TABLE.map(({ name }) => name),
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
  ...CLIENT_VARIABLES,
]);

/** The variables of tests have this beginning. */
const OF_TESTS = 'CLEW_TEST_';

export interface UnknownVariable {
  readonly name: string;
  /** The known variable with a similar name, if there is one. */
  readonly similar: string | undefined;
}

/** @returns unknown `CLEW_` variables, of which commands warn, because most of them are misspelled */
export function unknownVariables(env: Environment): readonly UnknownVariable[] {
  const withoutPrefix = (name: string): string => name.slice(PREFIX.length);
  const known = [...KNOWN_VARIABLES].map(withoutPrefix);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(OF_TESTS) && !KNOWN_VARIABLES.has(name))
    .sort()
    .map((name) => {
      const likely = likelyName(withoutPrefix(name), known);
      return { name, similar: likely && PREFIX + likely };
    });
}

function assemble(values: Values, env: Environment): Config {
  const { uploadBytes, waitingBytes, unprovenBytes, freeBytes, connections, fileMinutes, dataDir, ...rest } =
    values;
  const {
    boltConnections,
    archiveEntries,
    archiveBytes,
    archiveRatio,
    cypherRows,
    cypherAnswer,
    cypherSteps,
    cypherBytes,
    selectorSeconds,
    planBytes,
    backupDirectory,
    backupHours: hours,
    backupKeep: keep,
    backupPassphrase: passphrase,
    backupWithKey: withKey,
    ...others
  } = rest;
  return {
    ...others,
    ...(backupDirectory !== undefined && {
      backups: { directory: resolve(backupDirectory), hours, keep, passphrase, withKey },
    }),
    dataDir: dataDir === undefined ? defaultDataDirectory(env, process.platform) : resolve(dataDir),
    limits: {
      uploadBytes,
      waitingBytes,
      unprovenBytes,
      freeBytes,
      connections,
      boltConnections,
      fileMinutes,
      archiveEntries,
      archiveBytes,
      archiveRatio,
      cypherRows,
      cypherAnswer,
      cypherSteps,
      cypherBytes: cypherBytes ?? shareOfMemory(8, MIN_CYPHER_BYTES, MAX_CYPHER_BYTES),
      selectorSeconds,
      planBytes: planBytes ?? shareOfMemory(2, MIN_PLAN_BYTES, Number.POSITIVE_INFINITY),
    },
  };
}

/** The per-user data directory of the platform (on Linux, XDG Base Directory Specification). */
export function defaultDataDirectory(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'clew');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'clew');
  // The specification requires that relative paths are ignored.
  const xdg = env.XDG_DATA_HOME;
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'share'), 'clew');
}
