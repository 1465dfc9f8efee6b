/**
 * The service, composed: database, identity, worker, queries, HTTP. Parts opened first are closed last, also when
 * the start fails half-way.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, routes } from '@clew/api';
import {
  type Config,
  ConfigError,
  createExports,
  createLogger,
  EXPORT_CONNECTIONS,
  type Handlers,
  type HandlerTable,
  type Role,
  VERSION,
} from '@clew/common';
import { CypherRunner } from '@clew/explore';
import {
  analysisHandlers,
  configHandlers,
  createQueryServices,
  cypherHandlers,
  explainHandlers,
  exploreHandlers,
  savedQueryHandlers,
  syncExtensionQueries,
  watchHandlers,
} from '@clew/explore/handlers';
import {
  type Clock,
  type FirstAdministrator,
  openIdentity,
  passwordDays,
  setPasswordDays,
} from '@clew/identity/handlers';
import {
  clearHandlers,
  collectorsHandlers,
  countClients,
  countCollectorJobs,
  extensionHandlers,
  openGraphHandlers,
  uploadHandlers,
  uploadRoom,
} from '@clew/intake/handlers';
import {
  answering,
  combinedHandlers,
  countDeliveries,
  extensionPreview,
  findingHandlers,
  Planner,
  type PlanThreadOptions,
  planHandlers,
  qualityHandlers,
  startPlanMaker,
  startWebhooks,
  storedRatings,
  storedUnread,
  syncExtensionChecks,
  syncExtensionRules,
  webhookHandlers,
} from '@clew/judgment/handlers';
import {
  apiReferenceHandlers,
  checkHandlers,
  contradictionsOf,
  countJobsByStatus,
  createHttpServer,
  createMetrics,
  databaseObstacle,
  datapipeStatus,
  exchangeCounts,
  type HttpOptions,
  type HttpServer,
  openPages,
  RateLimiter,
  selectorTimes,
  systemHandlers,
  uniteHandlers,
} from '@clew/server';
import {
  type ConnectionConfig,
  connectDatabase,
  type Database,
  externalConnection,
  migrate,
  openDatabase,
  withConnectionSettings,
} from '@clew/store';
import { startWorkerThread, type ThreadOptions } from '@clew/worker';
import type { Logger } from 'pino';

export interface StartOptions {
  /** Default: JSON lines on standard error, at the level of the configuration. */
  readonly log?: Logger;
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
  /** Time as sign-in sees it, for tests. */
  readonly clock?: Clock;
  /** Directory of the built web interface. */
  readonly webDirectory?: string;
}

export interface RunningService {
  /** Where it listens, `http://host:port`. */
  readonly url: string;
  /** Set when this start made the first administrator, or its generated password was not used yet: to be shown. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Takes no new connections, lets requests under way finish, and closes everything. May be called again. */
  stop(): Promise<void>;
}

/** How long requests under way may take to finish. */
const DRAIN_MS = 3_000;

/**
 * Listens when the newest graph is loaded: no answer comes from an empty one that is not loaded yet.
 * @throws ConfigError when the port is taken, and errors of parts that cannot start
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const log = options.log ?? createLogger(config.logLevel);
  await using opening = new AsyncDisposableStack();

  const database = opening.adopt(
    await openDatabase({ databaseUrl: config.databaseUrl, dataDirectory: config.dataDir, log }),
    (opened) => opened.close(),
  );
  await migrate(database.pool);
  const pages =
    options.webDirectory === undefined || config.role === 'worker'
      ? undefined
      : openPages(options.webDirectory);
  const home = pages && '/ui/sso';
  const identity = opening.adopt(
    await openIdentity({ db: database.db, config, log, home, clock: options.clock }),
    (opened) => opened.close(),
  );
  const worker = opening.adopt(startWorkerThread(workerOptions(config, database), log), (started) =>
    started.stop(),
  );
  const { generations } = worker;
  const exportsDatabase = opening.adopt(
    connectDatabase(database.connection, log, {
      maxConnections: EXPORT_CONNECTIONS,
      applicationName: 'clew exports',
    }),
    (opened) => opened.close(),
  );
  const exports = createExports(exportsDatabase);
  const queries = opening.adopt(
    createQueryServices({
      generations,
      database,
      ratings: storedRatings(database.db),
      unread: storedUnread(database.db),
      rules: config.rules,
      exports,
    }),
    (services) => services.close(),
  );
  const planning: PlanThreadOptions = {
    connection: database.connection,
    logLevel: config.logLevel,
    rules: config.rules,
    costs: config.planCosts,
    efforts: config.attackEfforts,
    memoryBytes: config.limits.planBytes,
  };
  const planner = opening.adopt(new Planner(planning), (started) => started.close());
  const variants = opening.adopt(new Planner(planning, 'plan-variants'), (started) => started.close());
  const cypher = opening.adopt(
    new CypherRunner({
      connection: database.connection,
      logLevel: config.logLevel,
      memoryBytes: config.limits.cypherBytes,
    }),
    (started) => started.close(),
  );
  generations.onSwap((generation) => void cypher.prepare(generation));
  const metrics = createMetrics({
    jobsByStatus: () => countJobsByStatus(database.db),
    generation: () => generations.current(),
    delay: () => worker.obstacle,
    clients: () => countClients(database.db),
    collectorJobsByStatus: () => countCollectorJobs(database.db),
    webhookDeliveries: () => countDeliveries(database.db),
    selectorTimes: () => selectorTimes(database.db),
    contradictions: () => contradictionsOf(database.db),
  });
  const uploads = {
    uploadBytes: config.limits.uploadBytes,
    room: uploadRoom(database.db, {
      ...config.limits,
      directory: config.databaseUrl === undefined ? config.dataDir : undefined,
    }),
  };
  let isStopping = false;
  const handlers: Handlers<OperationId> = uniteHandlers(
    identity.handlers,
    uploadHandlers(database.db, uploads),
    collectorsHandlers({
      ...{ db: database.db, tokens: identity.tokens, uploads, log },
      directory: join(config.dataDir, 'collectors'),
    }),
    exploreHandlers(queries, (generation, ends, signal) =>
      answering(planner.run(generation, 'easiest', ends, signal)),
    ),
    combinedHandlers(queries),
    qualityHandlers({ db: database.db, generations }),
    explainHandlers(queries, (generation, query, origin) =>
      cypher.check(generation, query, undefined, origin),
    ),
    planHandlers({ db: database.db, generations, planner, variants, costs: config.planCosts }),
    cypherHandlers({
      ...{ db: database.db, generations, properties: queries.properties, runner: cypher },
      edgeProperties: queries.edgeProperties,
      limits: {
        rows: config.limits.cypherRows,
        results: config.limits.cypherAnswer,
        steps: config.limits.cypherSteps,
      },
    }),
    savedQueryHandlers(database.db),
    watchHandlers(database.db),
    analysisHandlers(database.db),
    configHandlers(database.db, {
      ...config,
      passwordDays: { get: () => passwordDays(database.db), set: setPasswordDays },
      trustedProxies: proxyCount(config),
    }),
    openGraphHandlers(database.db),
    extensionHandlers(
      database.db,
      {
        ...{ zoneRules: syncExtensionRules, checks: syncExtensionChecks },
        savedSearches: syncExtensionQueries,
      },
      extensionPreview(generations, variants),
    ),
    clearHandlers(database.db),
    findingHandlers(database.db, generations, exports, cypher),
    webhookHandlers({ db: database.db, box: identity.box }),
    apiReferenceHandlers({ version: VERSION, edition: config.edition }),
    systemHandlers({
      version: VERSION,
      edition: config.edition,
      generations,
      metrics,
      datapipeStatus: () => datapipeStatus(database.db),
      delay: () => worker.obstacle,
      isBehindProxy: isProxied(config),
      obstacle: async () => (isStopping ? 'it is stopping' : databaseObstacle(database.db)),
    }),
  );
  checkHandlers(routes, handlers);

  await worker.ready;
  if (config.role !== 'api') {
    opening.adopt(
      startPlanMaker({ database, generations, planner: planning, log: log.child({ component: 'plans' }) }),
      (started) => started.stop(),
    );
    const parts = { db: database.db, box: identity.box, networks: config.webhookNetworks };
    opening.adopt(startWebhooks(parts, log), (started) => started.stop());
  }
  const limiter = new RateLimiter(config.rateLimit);
  // The embedded database has one process alone.
  if (config.databaseUrl !== undefined && config.role !== 'worker' && config.rateLimit > 0)
    opening.adopt(exchangeCounts(limiter, database, log), (started) => started.stop());
  const server = await createHttpServer({
    ...config,
    limiter,
    unprovenDirectory: join(config.dataDir, 'unverified'),
    ...served(config.role, handlers),
    authenticator: identity.authenticator,
    log,
    generations,
    metrics,
    checkAnswers: options.checkAnswers,
    pages,
  });
  opening.defer(() => server.close(DRAIN_MS));
  // First of all: until then requests come in, and are answered.
  if (config.role !== 'worker') opening.defer(() => sleep(config.stopDelay * 1000));
  const url = await listen(server, config);
  log.info({ url, version: VERSION, edition: config.edition, role: config.role }, 'listening');

  const opened = opening.move();
  let stopped: Promise<void> | undefined;
  return {
    url,
    firstAdministrator: identity.firstAdministrator,
    stop() {
      isStopping = true;
      server.announceEnd();
      // The current work ends at once, while requests finish: it may take time. A process that still answers follows the
      // publications of others.
      if (config.stopDelay === 0) void worker.stop();
      stopped ??= opened.disposeAsync();
      return stopped;
    },
  };
}

function workerOptions(config: Config, database: Database): ThreadOptions {
  const { archiveEntries, archiveBytes, archiveRatio, fileMinutes, selectorSeconds, cypherBytes } =
    config.limits;
  return {
    connection: database.connection,
    replica: replicaOf(config),
    logLevel: config.logLevel,
    tasks: config.role !== 'api',
    analysis: {
      mode: config.rules,
      selectors: {
        times: { selectorMs: selectorSeconds * 1000, allMs: 2 * selectorSeconds * 1000 },
        memoryBytes: cypherBytes,
      },
    },
    limits: {
      archive: { maxEntries: archiveEntries, maxTotalBytes: archiveBytes, maxRatio: archiveRatio },
      fileMs: fileMinutes * 60_000,
    },
    aging: {
      objectDays: config.pruneDays,
      sessionDays: config.logonSessionDays,
      auditDays: config.auditDays,
      jobDays: config.jobDays,
      differenceDays: config.differenceDays,
    },
  };
}

function replicaOf({ replicaUrl }: Config): ConnectionConfig | undefined {
  return replicaUrl === undefined
    ? undefined
    : { ...withConnectionSettings(externalConnection(replicaUrl), 'clew worker'), mayBeStandby: true };
}

const proxyCount = ({ trustedProxies }: Config): number =>
  'count' in trustedProxies ? trustedProxies.count : trustedProxies.networks.length;

/** An address for users of its own says so, too. */
const isProxied = (config: Config): boolean => config.publicUrl !== undefined || proxyCount(config) > 0;

/** A worker answers only for its own health. */
function served(role: Role, handlers: HandlerTable): Pick<HttpOptions, 'contracts' | 'handlers'> {
  if (role !== 'worker') return { contracts: routes, handlers };
  const contracts = routes.filter(({ tag }) => tag === 'Health');
  const entries = contracts.map(({ operationId }) => [operationId, handlers[operationId]]);
  return { contracts, handlers: Object.fromEntries(entries) };
}

async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError([`CLEW_PORT ${port} of ${host} is taken by another program`]);
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError([`CLEW_HOST ${host} is not an address of this machine`]);
    if (code === 'EACCES')
      throw new ConfigError([`CLEW_PORT ${port} needs rights that this process does not have`]);
    throw error;
  }
}
