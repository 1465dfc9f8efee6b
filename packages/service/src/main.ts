/**
 * The service, composed: database, identity, worker, queries, HTTP. What is opened first is closed last, also when
 * the start fails half-way.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, routes } from '@clew/api';
import {
  type ConnectionConfig,
  connectDatabase,
  type Database,
  externalConnection,
  migrate,
  openDatabase,
  withConnectionSettings,
} from '@clew/store';
import type { Logger } from 'pino';
import { apiReferenceHandlers } from './apiReference/apiReferenceHandlers.ts';
import { collectorsHandlers } from './collectors/collectorsHandlers.ts';
import { countClients, countCollectorJobs } from './collectors/schedules.ts';
import { type Config, ConfigError, type Role } from './config/config.ts';
import { createLogger } from './config/log.ts';
import { VERSION } from './config/version.ts';
import { cypherHandlers } from './cypher/cypherHandlers.ts';
import { CypherRunner } from './cypher/cypherRunner.ts';
import { savedQueryHandlers } from './cypher/savedQueryHandlers.ts';
import { explainHandlers } from './explain/explainHandlers.ts';
import { exploreHandlers } from './explore/exploreHandlers.ts';
import { createQueryServices } from './explore/queryServices.ts';
import { storedRatings } from './findings/environmentRatings.ts';
import { combinedHandlers } from './findings/http/combined/combinedHandlers.ts';
import { findingHandlers } from './findings/http/findingHandlers.ts';
import { clearHandlers } from './housekeeping/clearHandler.ts';
import type { HttpOptions } from './http/httpOptions.ts';
import { exchangeCounts } from './http/rateExchange.ts';
import { RateLimiter } from './http/rateLimit.ts';
import { checkHandlers, uniteHandlers } from './http/routing.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { Clock } from './identity/clock.ts';
import type { FirstAdministrator } from './identity/firstAdministrator.ts';
import { openIdentity } from './identity/identity.ts';
import { passwordDays, setPasswordDays } from './identity/secrets.ts';
import { uploadHandlers } from './ingest/uploadHandlers.ts';
import { uploadRoom } from './ingest/uploadRoom.ts';
import { openGraphHandlers } from './openGraph/openGraphHandlers.ts';
import { createExports, EXPORT_CONNECTIONS } from './operation/exports.ts';
import type { Handlers, HandlerTable } from './operation/handler.ts';
import { openPages } from './pages/pages.ts';
import { planHandlers } from './plan/planHandlers.ts';
import { startPlanMaker } from './plan/planMaker.ts';
import type { PlanThreadOptions } from './plan/planMessages.ts';
import { Planner } from './plan/planner.ts';
import { answering } from './plan/planParts.ts';
import { qualityHandlers } from './quality/qualityHandlers.ts';
import { storedUnread } from './quality/qualityQueries.ts';
import { analysisHandlers } from './requests/analysisHandlers.ts';
import { configHandlers } from './requests/configHandlers.ts';
import { contradictionsOf, datapipeStatus, selectorTimes } from './system/datapipeStatus.ts';
import { countJobsByStatus, databaseObstacle } from './system/health.ts';
import { createMetrics } from './system/metrics.ts';
import { systemHandlers } from './system/systemHandlers.ts';
import { countDeliveries } from './webhooks/deliveries.ts';
import { webhookHandlers } from './webhooks/webhookHandlers.ts';
import { startWebhooks } from './webhooks/webhooks.ts';
import { startWorkerThread, type ThreadOptions } from './worker/workerThread.ts';

export interface StartOptions {
  /** Default: JSON lines on standard error, at the level of the configuration. */
  readonly log?: Logger;
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
  /** Time as sign-in sees it, for tests. */
  readonly clock?: Clock;
  /** Of the built web interface. */
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
 * Listens when the newest graph is there: no answer comes from an empty one that is only not loaded yet.
 * @throws ConfigError when the port is taken, and what the parts throw when they cannot start
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
    explainHandlers(queries),
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
    analysisHandlers(database.db),
    configHandlers(database.db, {
      ...config,
      passwordDays: { get: () => passwordDays(database.db), set: setPasswordDays },
      trustedProxies: proxyCount(config),
    }),
    openGraphHandlers(database.db),
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
      // What is being done is let go of at once, beside the requests that finish: it may take time. A process that
      // answers on still follows what others publish.
      if (config.stopDelay === 0) void worker.stop();
      stopped ??= opened.disposeAsync();
      return stopped;
    },
  };
}

function workerOptions(config: Config, database: Database): ThreadOptions {
  const { archiveEntries, archiveBytes, archiveRatio, fileMinutes } = config.limits;
  return {
    connection: database.connection,
    replica: replicaOf(config),
    logLevel: config.logLevel,
    tasks: config.role !== 'api',
    analysis: { mode: config.rules },
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
    if (code === 'EADDRNOTAVAIL') throw new ConfigError([`CLEW_HOST ${host} is no address of this machine`]);
    if (code === 'EACCES')
      throw new ConfigError([`CLEW_PORT ${port} needs rights that this process does not have`]);
    throw error;
  }
}
