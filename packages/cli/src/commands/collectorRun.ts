/**
 * `clew collector run`: a collector that runs as a service. It asks for jobs, collects, hands over, and goes on until it is stopped. It
 * survives restarts of the service and of itself; only a token that counts no longer ends it.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ClewClient, ConnectionError, TimeoutError, type TokenCredentials } from '@clew/client';
import { exists, secretFile } from '../collector/collectCredentials.ts';
import { CollectorService } from '../collector/collectorService.ts';
import { readSource, type SourceOptions, secretsOf } from '../collector/collectSource.ts';
import { orFailure } from '../collector/failures.ts';
import { runJob } from '../collector/runJob.ts';
import { RunLog } from '../collector/runLog.ts';
import { type ConnectionOptions, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, describeFailure, EXIT } from '../failure.ts';
import { VERSION } from '../version.ts';

export interface CollectorRunOptions extends ConnectionOptions, SourceOptions {
  readonly tokenFile?: string;
  readonly once?: boolean;
}

/** How often the service is asked for jobs. */
const POLL_MS = 5_000;
/** The pause after a failure; a service that restarts is asked again soon. */
const OUTAGE_MS = 15_000;
const REQUEST_MS = 120_000;
const RETRY = { retries: 6, firstPause: 500, longestPause: 30_000 };
/** Name of the credential in `LoadCredential=` of systemd. */
const SYSTEMD_CREDENTIAL = 'clew-collector-token';

export async function collectorRun(context: Context, options: CollectorRunOptions): Promise<number> {
  const { env, err, signal } = context;
  const url = await serviceUrl(env, options);
  const credentials = await readToken(context, options);
  const source = await orFailure(readSource(context, options));
  const log = new RunLog(err, [credentials.tokenKey, ...secretsOf(source)]);
  const service = new CollectorService(
    new ClewClient({
      ...{ url, credentials, userAgent: `clew-collector/${VERSION}`, retry: RETRY, timeout: REQUEST_MS },
    }),
  );
  await untilAnswered(log, signal, () => begin(service, log, { user: options.user ?? '', url }));
  let failed = 0;
  while (!signal.aborted) {
    const job = await untilAnswered(log, signal, () => service.waitingJob(signal));
    if (job !== undefined) {
      log.take();
      log.say(`job ${job.id} begins`);
      const result = await untilAnswered(log, signal, () => runJob(job, { service, source, log, signal }));
      if (result === undefined) failed += 1;
    } else if (options.once) break;
    else await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return options.once && failed > 0 ? EXIT.failed : 0;
}

interface Start {
  readonly user: string;
  readonly url: string;
}

/** A job that an earlier run of this collector left behind has no one who would end it. */
async function begin(service: CollectorService, log: RunLog, { user, url }: Start): Promise<void> {
  const client = await service.register({ user, host: hostname(), version: `v${VERSION}` });
  log.say(`${client.name} is registered at ${url}`);
  if (client.current_job === null) return;
  const message = 'the collector was stopped in the middle of the run, and has started again';
  await service.end({ status: 'FAILED', message });
  log.say(`job ${client.current_job.id}: ${message}`);
}

/** Waits for a service that does not answer; an outage is said once. @throws ApiError of a refusal */
async function untilAnswered<Result>(
  log: RunLog,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1)
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted) break;
      if (!isOutage(error)) throw error;
      if (failures === 0) log.say(`${describeFailure(error)}: trying again until it answers`);
      await pause(OUTAGE_MS, undefined, { signal }).catch(() => undefined);
    }
  return undefined;
}

const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));

/** @throws CommandError where no token is given, or its file is none */
async function readToken(context: Context, { tokenFile }: CollectorRunOptions): Promise<TokenCredentials> {
  const { env } = context;
  const ofSystemd = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, SYSTEMD_CREDENTIAL);
  const path =
    tokenFile ?? env.CLEW_COLLECTOR_TOKEN_FILE ?? ((await exists(ofSystemd)) ? ofSystemd : undefined);
  if (path === undefined || path === '') {
    const [tokenId, tokenKey] = [env.CLEW_TOKEN_ID?.trim(), env.CLEW_TOKEN_KEY?.trim()];
    if (tokenId && tokenKey) return { tokenId, tokenKey };
    throw new CommandError(
      'the token of the collector is missing: "clew client add NAME --type clew > token" makes one, and --token-file names its file',
    );
  }
  const text = (await secretFile(context, path)).toString('utf8');
  const [, tokenId] = /^TOKEN_ID=(\S+)\s*$/m.exec(text) ?? [];
  const [, tokenKey] = /^TOKEN_KEY=(\S+)\s*$/m.exec(text) ?? [];
  if (tokenId === undefined || tokenKey === undefined)
    throw new CommandError(`${path} has no lines TOKEN_ID=... and TOKEN_KEY=...`);
  return { tokenId, tokenKey };
}
