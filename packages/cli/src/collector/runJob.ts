/** A collector job: reads the domain, uploads it in batches, and ends with its log. Nothing is sent before everything was read. */
import { rm } from 'node:fs/promises';
import { type ClientJob, type EndJobRequest, JOB_STATUS } from '@clew/api';
import { ApiError } from '@clew/client';
import { type CollectResult, collectAll, type DomainChanges, isRefused } from '@clew/collect';
import { CommandError } from '../failure.ts';
import { formatCount, formatDuration, plural } from '../terminal/text.ts';
import type { CollectorService } from './collectorService.ts';
import { notesOf, readingOf, type Source } from './collectSource.ts';
import { reasonOf } from './failures.ts';
import { LogSender } from './logSender.ts';
import type { RunLog } from './runLog.ts';
import { tellReading } from './tellReading.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';
import { untilAnswered } from './untilAnswered.ts';

/** The service fails a run that is silent for 20 minutes. */
const HEARTBEAT_MS = 10_000;
/** A stopped collector waits for the service at most this long. */
const LAST_WORD_MS = 10_000;
const PROGRESS_MS = 10_000;
/** Maximum length of a message that the service accepts. */
const MAX_MESSAGE = 65_536;

export interface JobParts {
  readonly service: CollectorService;
  readonly source: Source;
  readonly log: RunLog;
  /** Keeps the result as the state for later changes. */
  readonly changes: DomainChanges;
  /** When aborted, the run ends, and its job fails. */
  readonly signal: AbortSignal;
}

/** A refused sign-in must not be repeated, because each attempt counts toward the account lockout. */
export type Outcome = 'complete' | 'failed' | 'refused';

/** The log of a failed job has the reason. @throws ApiError if refused, such as for an invalid token */
export async function runJob(job: ClientJob, parts: JobParts): Promise<Outcome> {
  const { service, log, changes } = parts;
  if (!(await begin(job, parts))) return 'failed';
  const sender = new LogSender(service, log);
  sender.start();
  const ending = new AbortController();
  const beat = setInterval(() => {
    void service.isWanted(job.id).then(
      (isWanted) => {
        if (!isWanted) ending.abort(new Error('the job was canceled'));
      },
      // The service may answer again when the run has ended.
      () => undefined,
    );
  }, HEARTBEAT_MS);
  const signal = AbortSignal.any([parts.signal, ending.signal]);
  let result: CollectResult;
  try {
    refuseScope(job);
    const unread = unreadParts(job);
    if (unread !== '') log.say(unread);
    result = await collectAndSend(job, { ...parts, signal });
    const isTaken = await end(parts, sender, { ...resultOf(result), status: 'COMPLETE', message: '' });
    if (!isTaken) throw new Error('the job was canceled');
    changes.commit();
  } catch (error) {
    changes.rollback();
    const reason = signal.aborted ? (signal.reason as Error).message : reasonOf(error);
    log.say(`failed: ${reason}`);
    await end(parts, sender, { status: 'FAILED', message: log.clean(reason).slice(0, MAX_MESSAGE) });
    return isRefused(error) ? 'refused' : 'failed';
  } finally {
    clearInterval(beat);
    sender.stop();
  }
  const reading = readingOf({ ...result, notes: notesOf(result) }, parts.source, true);
  await tellReading(parts, result.facts.sid, reading);
  return 'complete';
}

/** @returns false if the job no longer waits: a user canceled it, or removed its schedule */
async function begin(job: ClientJob, { service, log, signal }: JobParts): Promise<boolean> {
  try {
    const began = await untilAnswered(log, signal, () => service.start(job));
    return began !== undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 404].includes(error.status)) throw error;
    log.say(`job ${job.id} is no longer waiting`);
    return false;
  }
}

/**
 * Ends the job, with retries: if only the answer was lost, the job has ended, and is not started again.
 *
 * @returns whether the service accepts its data
 */
async function end({ log, signal }: JobParts, sender: LogSender, request: EndJobRequest): Promise<boolean> {
  sender.stop();
  // A stopped collector still reports this once.
  const patience = signal.aborted ? AbortSignal.timeout(LAST_WORD_MS) : signal;
  const ended = await untilAnswered(log, patience, () => sender.end(request));
  return ended !== undefined && ended.status !== JOB_STATUS.canceled;
}

async function collectAndSend(job: ClientJob, parts: JobParts): Promise<CollectResult> {
  const directory = await temporaryDirectory();
  try {
    const result = await readAll(directory, parts);
    refuseDomain(job, result);
    await sendFiles(result, parts);
    return result;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type ReadingParts = Pick<JobParts, 'source' | 'log' | 'changes' | 'signal'>;

/** Reads the whole domain, and reports progress. */
export async function readAll(directory: string, parts: ReadingParts): Promise<CollectResult> {
  const { source, log, changes, signal } = parts;
  const began = performance.now();
  const seconds = (): string => formatDuration(performance.now() - began);
  let saidAt = began;
  const onProgress = (text: string): void => {
    if (performance.now() - saidAt < PROGRESS_MS && /^(first|second) pass/.test(text)) return;
    saidAt = performance.now();
    log.say(`${text}, ${seconds()}`);
  };
  const result = await collectAll({ ...source, directory, signal, onProgress }, changes);
  const { facts, counts } = result;
  const parted = Object.entries(counts).map(([type, count = 0]) => `${formatCount(count)} ${type}`);
  log.say(`read ${facts.domain} from ${facts.controller} in ${seconds()}: ${parted.join(', ')}`);
  for (const { what, count, first } of notesOf(result))
    log.say(`note: ${what}: ${formatCount(count)}, first ${first}`);
  return result;
}

export async function sendFiles(
  { files, facts }: Pick<CollectResult, 'files' | 'facts'>,
  { service, log, signal }: Pick<JobParts, 'service' | 'log' | 'signal'>,
): Promise<void> {
  const began = performance.now();
  let batches = 0;
  for (const path of files) batches += await service.send(path, signal);
  log.say(
    `sent ${plural(batches, 'batch', 'batches')} in ${formatDuration(performance.now() - began)}; USN ${facts.highestUsn}`,
  );
}

/** Parts that only an administrator of each computer can read. */
const NOT_READ = {
  session_collection: 'sessions',
  local_group_collection: 'local groups',
  ca_registry_collection: 'registries of CAs',
  dc_registry_collection: 'registries of domain controllers',
} as const;

/** @throws CommandError if the job requests less or more than one whole domain */
function refuseScope(job: ClientJob): void {
  if (job.ous.length > 0)
    throw new CommandError(
      'this collector reads whole domains: remove the organizational units from the job',
    );
  if (job.all_trusted_domains)
    throw new CommandError(
      'this collector reads only the domain of its domain controllers: start one collector for each trusted domain',
    );
}

function refuseDomain({ domains }: ClientJob, { facts }: CollectResult): void {
  const ids = domains.map((one) => (typeof one === 'string' ? one : one.objectid));
  if (ids.length > 0 && !ids.includes(facts.sid))
    throw new CommandError(
      `the job requests ${ids.join(', ')}, but the domain controllers of this collector belong to ${facts.domain} (${facts.sid})`,
    );
}

/** @returns a sentence about requested parts that this collector does not read; '' without any */
function unreadParts(job: ClientJob): string {
  const parts = Object.entries(NOT_READ).flatMap(([flag, name]) =>
    job[flag as keyof typeof NOT_READ] ? [name] : [],
  );
  return parts.length === 0
    ? ''
    : `not read, because they need administrator rights on each computer: ${parts.join(', ')}`;
}

const COUNTS = {
  user_count: 'users',
  group_count: 'groups',
  computer_count: 'computers',
  gpo_count: 'gpos',
  ou_count: 'ous',
  container_count: 'containers',
  aiaca_count: 'aiacas',
  rootca_count: 'rootcas',
  enterpriseca_count: 'enterprisecas',
  ntauthstore_count: 'ntauthstores',
  certtemplate_count: 'certtemplates',
} as const;

function resultOf({ facts, counts }: CollectResult): Pick<EndJobRequest, 'domain_results'> {
  const found = Object.entries(COUNTS).map(([name, type]) => [name, counts[type] ?? 0]);
  return { domain_results: [{ domain_name: facts.domain, success: true, ...Object.fromEntries(found) }] };
}
