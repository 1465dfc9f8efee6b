/**
 * `clew collector run`: a collector that runs as a service. Until it is stopped, it asks for jobs, collects, uploads, and sends changes. It
 * survives restarts of the service and of itself; an invalid token or a refused account ends it.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClewClient, type TokenCredentials } from '@clew/client';
import { CollectorService } from '../collector/collectorService.ts';
import {
  controllersByDomain,
  readSource,
  type SourceOptions,
  secretsOf,
} from '../collector/collectSource.ts';
import { Domains } from '../collector/domains.ts';
import { durationOf } from '../collector/durationOf.ts';
import { orFailure } from '../collector/failures.ts';
import { type Outcome, runJob } from '../collector/runJob.ts';
import { RunLog } from '../collector/runLog.ts';
import { untilAnswered } from '../collector/untilAnswered.ts';
import type { WatchTimes } from '../collector/watch.ts';
import { WatchDomains } from '../collector/watchDomains.ts';
import { type ConnectionOptions, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { exists, secretFile } from '../secretFile.ts';
import { VERSION } from '../version.ts';

export interface CollectorRunOptions extends ConnectionOptions, SourceOptions {
  readonly tokenFile?: string;
  readonly once?: boolean;
  /** Whether to read all domains of the forest. */
  readonly forest?: boolean;
  /** `south.example.test=dc2.south.example.test`. */
  readonly domainHost?: readonly string[];
  /** Durations such as `30s`, `5m`, `1h`, `7d`; 0 for never. */
  readonly interval?: string;
  readonly sweep?: string;
  readonly full?: string;
}

/** Interval at which the service is asked for jobs. */
const POLL_MS = 5_000;
const REQUEST_MS = 120_000;
const RETRY = { retries: 6, firstPause: 500, longestPause: 30_000 };
/** Name of the credential in `LoadCredential=` of systemd. */
const SYSTEMD_CREDENTIAL = 'clew-collector-token';

export async function collectorRun(context: Context, options: CollectorRunOptions): Promise<number> {
  const { env, err, signal } = context;
  if (options.domainHost !== undefined && !options.forest)
    throw new CommandError('--domain-host needs --forest', EXIT.usage);
  const controllersOf = controllersByDomain(options.domainHost ?? []);
  const url = await serviceUrl(env, options);
  const credentials = await readToken(context, options);
  const times = timesOf(options);
  const source = await orFailure(readSource(context, options));
  const log = new RunLog(err, [credentials.tokenKey, ...secretsOf(source)]);
  const service = new CollectorService(
    new ClewClient({
      ...{ url, credentials, userAgent: `clew-collector/${VERSION}`, retry: RETRY, timeout: REQUEST_MS },
    }),
  );
  await untilAnswered(log, signal, () => begin(service, log, { user: options.user ?? '', url }));
  const domains = new Domains(source, options.forest ? { controllersOf } : undefined, times.full);
  const parts = { service, domains, log, signal };
  const watch = options.once ? undefined : new WatchDomains(parts, times);
  let outcome: Outcome = 'complete';
  while (!signal.aborted && outcome !== 'refused') {
    const job = await untilAnswered(log, signal, () => service.waitingJob(signal));
    if (job !== undefined) {
      log.take();
      log.say(`job ${job.id} started`);
      const done = await runJob(job, parts);
      outcome = done.outcome;
      watch?.noteFull(done.read);
      if (options.once && outcome !== 'complete') return EXIT.failed;
    } else if (options.once) break;
    else if (watch?.isDue) outcome = await watch.ask();
    else
      await pause(Math.min(POLL_MS, times.interval || POLL_MS), undefined, { signal }).catch(() => undefined);
  }
  if (outcome !== 'refused') return 0;
  log.say(
    'the sign-in was refused: the collector stops, because each further attempt counts toward account lockout',
  );
  return EXIT.usage;
}

interface Start {
  readonly user: string;
  readonly url: string;
}

/** Ends a job that an earlier run of this collector left behind. */
async function begin(service: CollectorService, log: RunLog, { user, url }: Start): Promise<void> {
  const client = await service.register({ user, host: hostname(), version: `v${VERSION}` });
  log.say(`${client.name} is registered at ${url}`);
  if (client.current_job === null) return;
  const message = 'the collector was stopped during the run, and started again';
  await service.end({ status: 'FAILED', message });
  log.say(`job ${client.current_job.id}: ${message}`);
}

/** @throws CommandError for a text that is not a duration */
const timesOf = ({ interval = '5m', sweep = '1h', full = '7d' }: CollectorRunOptions): WatchTimes => ({
  interval: durationOf('interval', interval),
  sweep: durationOf('sweep', sweep),
  full: durationOf('full', full),
});

/** @throws CommandError if no token is given, or its file is invalid */
async function readToken(context: Context, { tokenFile }: CollectorRunOptions): Promise<TokenCredentials> {
  const { env } = context;
  const ofSystemd = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, SYSTEMD_CREDENTIAL);
  const path =
    tokenFile ?? env.CLEW_COLLECTOR_TOKEN_FILE ?? ((await exists(ofSystemd)) ? ofSystemd : undefined);
  if (path === undefined || path === '') {
    const [tokenId, tokenKey] = [env.CLEW_TOKEN_ID?.trim(), env.CLEW_TOKEN_KEY?.trim()];
    if (tokenId && tokenKey) return { tokenId, tokenKey };
    throw new CommandError(
      'the token of the collector is missing: "clew client add NAME --type clew --token-file FILE" creates one; use its file with --token-file',
    );
  }
  const text = (await secretFile(context, path)).toString('utf8');
  const [, tokenId] = /^TOKEN_ID=(\S+)\s*$/m.exec(text) ?? [];
  const [, tokenKey] = /^TOKEN_KEY=(\S+)\s*$/m.exec(text) ?? [];
  if (tokenId === undefined || tokenKey === undefined)
    throw new CommandError(`${path} does not contain lines TOKEN_ID=... and TOKEN_KEY=...`);
  return { tokenId, tokenKey };
}
