/** Assembles the service: database, identity, worker, queries, HTTP. Parts that open first close last, even if the start fails. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, routes } from '@clew/api';
import {
  type Config,
  createExports,
  createLogger,
  EXPORT_CONNECTIONS,
  type Handlers,
  type HandlerTable,
  openTracing,
  proxyCount,
  type Role,
  uniteHandlers,
  VERSION,
} from '@clew/common';
import { environmentNamed, namesSeenBy } from '@clew/explore';
import { openExplore, syncExtensionQueries } from '@clew/explore/handlers';
import {
  type Clock,
  type FirstAdministrator,
  openBackups,
  openIdentity,
  type PasswordHasher,
  passwordDays,
  setPasswordDays,
} from '@clew/identity/handlers';
import { HYDRATED, intakeHandlers, shownClient } from '@clew/intake/handlers';
import { storedUnread } from '@clew/judgment';
import {
  findingSettings,
  judgmentHandlers,
  startJudgment,
  storedRatings,
  syncExtensionChecks,
  syncExtensionRules,
} from '@clew/judgment/handlers';
import { extensionPreview, openPlanners, planLeaving, plansHandlers, startPlans } from '@clew/plans/handlers';
import {
  apiReferenceHandlers,
  checkHandlers,
  createHttpServer,
  createInsideFetch,
  createMetrics,
  databaseObstacle,
  datapipeStatus,
  exchangeCounts,
  type HttpOptions,
  openPages,
  RateLimiter,
  systemHandlers,
} from '@clew/server';
import {
  connectDatabase,
  type Database,
  migrate,
  openDatabase,
  type TableState,
  type UpgradeWatch,
  watchUpgrades,
} from '@clew/store';
import { startWorkerThread } from '@clew/worker';
import type { Logger } from 'pino';
import { adviceFor } from './advice/advice.ts';
import { adviceHandlers } from './advice/adviceHandlers.ts';
import { readSurroundings } from './advice/surroundings.ts';
import { listen, listenBolt } from './listen.ts';
import { mcpHandlers } from './mcp/mcpHandlers.ts';
import { metricsSources } from './metricsSources.ts';
import { BackgroundWork } from './upgrades/backgroundWork.ts';
import { followUpgrade, UPGRADE_REASONS } from './upgrades/followUpgrade.ts';
import { upgradeLog } from './upgrades/upgradeLog.ts';
import { requireUsable } from './usableSettings.ts';
import { workerOptions } from './workerOptions.ts';

export interface StartOptions {
  /** Default: JSON lines on standard error, at the level of the configuration. */
  readonly log?: Logger;
  /** For tests: whether answers that do not match their contract become errors. */
  readonly checkAnswers?: boolean;
  /** Clock for sign-in, for tests. */
  readonly clock?: Clock;
  /** Hashes passwords; tests have a cheaper one. */
  readonly hasher?: PasswordHasher;
  /** Whether plans of a generation are made before they are requested; default: true. */
  readonly makesPlans?: boolean;
  /** Directory of the built web interface. */
  readonly webDirectory?: string;
}

export interface RunningService {
  /** Its address, `http://host:port`. */
  readonly url: string;
  /** Its address for clients of Bolt, `bolt://host:port`, if that is on. */
  readonly boltUrl?: string;
  /** Set if this start created the first administrator, or its generated password is unused; must be shown. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /**
   * Accepts no new connections, lets running requests finish, and closes everything. May be called repeatedly.
   * @param reason for the log
   */
  stop(reason?: string): Promise<void>;
}

/** Time limit for running requests to finish. */
const DRAIN_MS = 3_000;

/**
 * Listens after the newest graph is loaded, so that no answer uses an empty one.
 * @throws ConfigError if a port is in use or the directory of backups cannot be used, and errors of parts that cannot start
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const log = options.log ?? createLogger(config.logLevel);
  await using opening = new AsyncDisposableStack();

  opening.adopt(await openTracing(config.tracesUrl, { component: config.role, log }), (opened) =>
    opened.close(),
  );
  const database = opening.adopt(
    await openDatabase({
      ...{ databaseUrl: config.databaseUrl, dataDirectory: config.dataDir, log },
      prepare: () => requireUsable(config, log),
    }),
    (opened) => opened.close(),
  );
  await migrate(database.pool, undefined, upgradeLog(config, log));
  const pages =
    options.webDirectory === undefined || config.role === 'worker'
      ? undefined
      : openPages(options.webDirectory, log);
  const home = pages && '/ui/sso';
  const identity = await openIdentity({
    ...{ db: database.db, config, log, home, clock: options.clock, hasher: options.hasher },
    isBehindProxy: isProxied(config),
    findEnvironment: (id) => environmentNamed(generations.current(), id)?.id,
    clientRecord: (id) => shownClient(database.db, id, HYDRATED),
  });
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
  const backups = openBackups({ database, config, log });
  const planners = opening.adopt(
    openPlanners({ database, config, log: log.child({ component: 'plans' }) }),
    (opened) => opened.close(),
  );
  const explore = opening.adopt(
    openExplore({
      ...{ database, generations, exports, config, easiest: planners.easiest, efforts: planners.efforts },
      ratings: storedRatings(database.db),
      unread: storedUnread(database.db),
      passwordDays: { get: () => passwordDays(database.db), set: setPasswordDays },
      findingSettings,
    }),
    (opened) => opened.close(),
  );
  const judgment = {
    ...{ database, generations, exports, config, box: identity.box, planLeaving },
    ...{ queries: explore.queries, cypher: explore.cypher },
  };
  const plans = { database, generations, config, planners, queries: explore.queries };
  const metrics = createMetrics(metricsSources({ database, config, worker }));
  let isStopping = false;
  let upgrades: UpgradeWatch | undefined;
  const writesRefused = (): string | undefined => UPGRADE_REASONS[upgrades?.state ?? 'current'];
  const limiter = new RateLimiter(config.rateLimit);
  const fetchAs = createInsideFetch({
    ...{ limiter, generations, edition: config.edition, checkAnswers: options.checkAnswers, writesRefused },
    handlers: () => handlers,
  });
  const handlers: Handlers<OperationId> = uniteHandlers(
    identity.handlers,
    backups.handlers,
    adviceHandlers(config, database),
    intakeHandlers({
      ...{ db: database.db, config, tokens: identity.tokens, log },
      syncs: {
        ...{ zoneRules: syncExtensionRules, checks: syncExtensionChecks },
        savedSearches: syncExtensionQueries,
      },
      preview: extensionPreview(generations, planners.threads.variants),
      names: (context) => namesSeenBy(explore.cypher, generations, context),
    }),
    explore.handlers,
    judgmentHandlers(judgment),
    plansHandlers(plans),
    mcpHandlers({ fetchAs, corsOrigins: config.corsOrigins }),
    apiReferenceHandlers({ version: VERSION, edition: config.edition }),
    systemHandlers({
      version: VERSION,
      edition: config.edition,
      generations,
      metrics,
      datapipeStatus: () => datapipeStatus(database.db),
      delay: () => writesRefused() ?? worker.obstacle ?? backups.fault,
      isBehindProxy: isProxied(config),
      obstacle: async () => (isStopping ? 'it is stopping' : databaseObstacle(database.db)),
    }),
  );
  checkHandlers(routes, handlers);

  await worker.ready;
  const background = opening.adopt(
    new BackgroundWork(worker, () => {
      const ofAll = [identity.maintain(), backups.start()];
      if (config.role === 'api') return ofAll;
      const logs = { plans: log.child({ component: 'plans' }), reports: log.child({ component: 'reports' }) };
      return [...ofAll, startJudgment(judgment, log), startPlans(plans, logs, options.makesPlans)];
    }),
    (started) => started.stop(),
  );
  // The embedded database has only one process.
  if (config.databaseUrl !== undefined) {
    const onChange = (state: TableState): void => followUpgrade(state, background, log);
    upgrades = opening.adopt(watchUpgrades({ database, onChange, log }), (watch) => watch.stop());
    if (config.role !== 'worker' && config.rateLimit > 0)
      opening.adopt(exchangeCounts(limiter, database, log), (started) => started.stop());
  }
  const server = await createHttpServer({
    ...config,
    limiter,
    unprovenDirectory: join(config.dataDir, 'unverified'),
    ...served(config.role, handlers),
    authenticator: identity.authenticator,
    log,
    generations,
    writesRefused,
    metrics,
    checkAnswers: options.checkAnswers,
    pages,
  });
  opening.defer(() => server.close(DRAIN_MS));
  const bolt =
    config.boltPort === undefined || config.role === 'worker'
      ? undefined
      : opening.adopt(
          await listenBolt({
            ...config,
            ...{ port: config.boltPort, connections: config.limits.boltConnections, version: VERSION },
            ...{ signIn: identity.signIn, answer: explore.answerTyped, limiter, metrics, writesRefused },
            log: log.child({ component: 'bolt' }),
          }),
          (listening) => listening.close(DRAIN_MS),
        );
  // Ends first: until then, requests are accepted and answered.
  if (config.role !== 'worker') opening.defer(() => sleep(config.stopDelay * 1000));
  const url = await listen(server, config);
  log.info(
    { url, bolt: bolt?.url, version: VERSION, edition: config.edition, role: config.role },
    'listening',
  );
  await sayAdvice(config, database, log);

  const opened = opening.move();
  let stopped: Promise<void> | undefined;
  const close = async (reason: string | undefined): Promise<void> => {
    const begun = performance.now();
    log.info({ reason }, 'stopping');
    await opened.disposeAsync();
    log.info({ seconds: (performance.now() - begun) / 1000 }, 'stopped');
  };
  return {
    url,
    ...(bolt && { boltUrl: bolt.url }),
    firstAdministrator: identity.firstAdministrator,
    stop(reason) {
      isStopping = true;
      server.announceEnd();
      // The current work ends at once while requests finish, because it may take long. A process that still answers follows publications of
      // others.
      if (config.stopDelay === 0) void worker.stop();
      stopped ??= close(reason);
      return stopped;
    },
  };
}

/** Optional: an error is logged, and the service runs. */
async function sayAdvice(config: Config, { pool }: Database, log: Logger): Promise<void> {
  try {
    for (const { about, text } of adviceFor(await readSurroundings(config, pool))) log.warn({ about }, text);
  } catch (error) {
    log.warn({ err: error }, 'the environment of the service could not be checked');
  }
}

/** A configured public address also indicates a proxy. */
const isProxied = (config: Config): boolean =>
  config.publicUrl !== undefined || proxyCount(config.trustedProxies) > 0;

/** A worker only answers health checks. */
function served(role: Role, handlers: HandlerTable): Pick<HttpOptions, 'contracts' | 'handlers'> {
  if (role !== 'worker') return { contracts: routes, handlers };
  const contracts = routes.filter(({ tag }) => tag === 'Health');
  const entries = contracts.map(({ operationId }) => [operationId, handlers[operationId]]);
  return { contracts, handlers: Object.fromEntries(entries) };
}
