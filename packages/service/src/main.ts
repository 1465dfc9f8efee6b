/**
 * The service, composed: database, identity, worker, queries, HTTP. What is opened first is closed last, also when
 * the start fails half-way.
 */
import { routes } from '@clew/api';
import type { Logger } from 'pino';
import { analysisHandlers } from './analysis/handlers.ts';
import { apiReferenceHandlers } from './apiReference/apiReferenceHandlers.ts';
import { type Config, ConfigError, type Role } from './config.ts';
import { findingHandlers } from './findings/http/findingHandlers.ts';
import { clearHandlers } from './housekeeping/clearHandler.ts';
import type { HandlerTable } from './http/handler.ts';
import { datapipeStatus } from './http/handlers/datapipeStatus.ts';
import { countJobsByStatus, databaseObstacle } from './http/handlers/health.ts';
import { serviceHandlers } from './http/handlers/serviceHandlers.ts';
import { uploadHandlers } from './http/handlers/uploadHandlers.ts';
import type { HttpOptions } from './http/httpOptions.ts';
import { createMetrics } from './http/metrics.ts';
import { checkHandlers, uniteHandlers } from './http/routing.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { FirstAdministrator } from './identity/firstAdministrator.ts';
import { openIdentity } from './identity/identity.ts';
import { createLogger } from './log.ts';
import { openGraphHandlers } from './openGraph/openGraphHandlers.ts';
import { qualityHandlers } from './quality/qualityHandlers.ts';
import { createQueryServices, queryHandlers } from './queries/index.ts';
import { type Database, openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';
import { VERSION } from './version.ts';
import { startWorkerThread, type ThreadOptions } from './worker/workerThread.ts';

export interface StartOptions {
  /** Default: JSON lines on standard error, at the level of the configuration. */
  readonly log?: Logger;
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
}

export interface RunningService {
  /** Where it listens, `http://host:port`. */
  readonly url: string;
  /** Set when this start made the first administrator: print the generated password now or never. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Takes no new connections, lets requests under way finish, and closes everything. May be called again. */
  stop(): Promise<void>;
}

/** How long requests under way may take to finish. */
const DRAIN_MS = 10_000;

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
  const identity = opening.adopt(await openIdentity({ db: database.db, config, log }), (opened) =>
    opened.close(),
  );
  const worker = opening.adopt(startWorkerThread(workerOptions(config, database), log), (started) =>
    started.stop(),
  );
  const { generations } = worker;
  const queries = opening.adopt(
    createQueryServices({ generations, database, rules: config.rules }),
    (services) => services.close(),
  );
  const metrics = createMetrics({
    jobsByStatus: () => countJobsByStatus(database.db),
    generation: () => generations.current(),
  });
  let isStopping = false;
  const handlers = uniteHandlers(
    identity.handlers,
    uploadHandlers(database.db, config.limits.decodedBytes),
    queryHandlers(queries),
    qualityHandlers({ db: database.db, generations }),
    analysisHandlers(queries),
    openGraphHandlers(database.db),
    clearHandlers(database.db),
    findingHandlers(database.db, generations),
    apiReferenceHandlers(),
    serviceHandlers({
      version: VERSION,
      edition: config.edition,
      generations,
      metrics,
      datapipeStatus: () => datapipeStatus(database.db),
      obstacle: async () => (isStopping ? 'it is stopping' : databaseObstacle(database.db)),
    }),
  );
  checkHandlers(routes, handlers);

  await worker.ready;
  const server = await createHttpServer({
    ...config,
    ...config.limits,
    ...served(config.role, handlers),
    authenticator: identity.authenticator,
    log,
    metrics,
    checkAnswers: options.checkAnswers,
  });
  opening.defer(() => server.close(DRAIN_MS));
  const url = await listen(server, config);
  log.info({ url, version: VERSION, edition: config.edition, role: config.role }, 'listening');

  const opened = opening.move();
  let stopped: Promise<void> | undefined;
  return {
    url,
    firstAdministrator: identity.firstAdministrator,
    stop() {
      isStopping = true;
      stopped ??= opened.disposeAsync();
      return stopped;
    },
  };
}

function workerOptions(config: Config, database: Database): ThreadOptions {
  const { archiveEntries, archiveBytes, archiveRatio } = config.limits;
  return {
    connection: database.connection,
    logLevel: config.logLevel,
    tasks: config.role !== 'api',
    analysis: { mode: config.rules },
    limits: {
      archive: { maxEntries: archiveEntries, maxTotalBytes: archiveBytes, maxRatio: archiveRatio },
    },
    aging: { objectDays: config.pruneDays, sessionDays: config.logonSessionDays },
  };
}

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
