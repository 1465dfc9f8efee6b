/**
 * A collector job: reads its domains, uploads them in batches, and ends with its log. Nothing is sent before everything was read. A domain of
 * a forest that cannot be read does not stop the others.
 */

import { rm } from 'node:fs/promises';
import { type ClientJob, type EndJobRequest, JOB_STATUS } from '@clew/api';
import { ApiError } from '@clew/client';
import { type CollectResult, collectAll, type DomainChanges, isRefused } from '@clew/collect';
import { counted } from '@clew/model';
import { CommandError } from '../failure.ts';
import { formatCount, formatDuration } from '../terminal/text.ts';
import type { CollectorService } from './collectorService.ts';
import { notesOf, readingOf, type Source } from './collectSource.ts';
import type { Domains, FollowedDomain, UnreadDomain } from './domains.ts';
import { reasonOf } from './failures.ts';
import { LogSender } from './logSender.ts';
import type { LogWriter, RunLog } from './runLog.ts';
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
  readonly domains: Domains;
  readonly log: RunLog;
  /** When aborted, the run ends, and its job fails. */
  readonly signal: AbortSignal;
}

/** A refused sign-in must not be repeated, because each attempt counts toward the account lockout. */
export type Outcome = 'complete' | 'failed' | 'refused';

export interface JobOutcome {
  readonly outcome: Outcome;
  /** Uploaded domains. */
  readonly read: readonly FollowedDomain[];
}

/** The log of a failed job has the reason. @throws ApiError if refused, such as for an invalid token */
export async function runJob(job: ClientJob, parts: JobParts): Promise<JobOutcome> {
  const { service, log } = parts;
  if (!(await begin(job, parts))) return { outcome: 'failed', read: [] };
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
  const found: Readings = { read: [], unread: [] };
  try {
    refuseScope(job, parts.domains);
    const unreadOfJob = unreadParts(job);
    if (unreadOfJob !== '') log.say(unreadOfJob);
    await collectAndSend(job, { ...parts, signal }, found);
    const message = found.unread.map(({ domain, reason }) => `${domain} was not read: ${reason}`).join('; ');
    const isTaken = await end(parts, sender, {
      ...{ domain_results: resultsOf(found, log), status: 'COMPLETE' },
      message: log.clean(message).slice(0, MAX_MESSAGE),
    });
    if (!isTaken) throw new Error('the job was canceled');
    for (const { domain } of found.read) domain.changes.commit();
  } catch (error) {
    for (const { domain } of found.read) domain.changes.rollback();
    const reason = signal.aborted ? (signal.reason as Error).message : reasonOf(error);
    log.say(`failed: ${reason}`);
    await end(parts, sender, { status: 'FAILED', message: log.clean(reason).slice(0, MAX_MESSAGE) });
    return { outcome: isRefused(error) ? 'refused' : 'failed', read: [] };
  } finally {
    clearInterval(beat);
    sender.stop();
  }
  for (const { domain, result } of found.read) {
    const reading = readingOf({ ...result, notes: notesOf(result) }, domain.source, true);
    await tellReading(parts, result.facts.sid, reading);
  }
  return { outcome: 'complete', read: found.read.map(({ domain }) => domain) };
}

interface Readings {
  readonly read: { readonly domain: FollowedDomain; readonly result: CollectResult }[];
  readonly unread: UnreadDomain[];
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

async function collectAndSend(job: ClientJob, parts: JobParts, found: Readings): Promise<void> {
  const { domains, log, signal } = parts;
  const directory = await temporaryDirectory();
  try {
    const { followed, unread } = await domains.find(log);
    const isWanted = wantedBy(job, [...followed, ...unread], domains);
    found.unread.push(...unread.filter(isWanted));
    for (const domain of followed.filter(isWanted)) {
      const { name, sid, source, changes } = domain;
      const pause = domains.pauseOf(domain);
      if (pause !== undefined) {
        log.say(`${name} was not read: ${pause}`);
        found.unread.push({ domain: name, sid, reason: pause });
        continue;
      }
      try {
        const result = await readAll(directory, { source, changes, signal, log: log.about(name) });
        found.read.push({ domain, result });
        refuseDomain(job, result);
      } catch (error) {
        changes.rollback();
        if (!domains.isForest || signal.aborted || (domain.isHome && isRefused(error))) throw error;
        const reason = reasonOf(error);
        log.say(`${name} was not read: ${reason}`);
        found.unread.push({ domain: name, sid, reason });
        if (!isRefused(error)) continue;
        domains.pause(domain);
        await domains.signInAtHome();
      }
    }
    if (found.read.length === 0) throw new CommandError(found.unread[0].reason);
    for (const { result } of found.read) await sendFiles(result, parts);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The parts of one reading of a domain. */
export interface ReadingParts {
  readonly source: Source;
  /** Keeps the result as the state for later changes. */
  readonly changes: DomainChanges;
  readonly log: LogWriter;
  readonly signal: AbortSignal;
}

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
  { service, log, signal }: Pick<JobParts, 'service' | 'signal'> & Pick<ReadingParts, 'log'>,
): Promise<void> {
  const began = performance.now();
  let batches = 0;
  for (const path of files) batches += await service.send(path, signal);
  log.say(
    `sent ${counted(batches, 'batch', 'batches')} in ${formatDuration(performance.now() - began)}; USN ${facts.highestUsn}`,
  );
}

/** Parts that only an administrator of each computer can read. */
const NOT_READ = {
  session_collection: 'sessions',
  local_group_collection: 'local groups',
  ca_registry_collection: 'registries of CAs',
  dc_registry_collection: 'registries of domain controllers',
} as const;

/** @throws CommandError if the job requests less than whole domains, or domains that this collector does not read */
function refuseScope(job: ClientJob, { isForest }: Domains): void {
  if (job.ous.length > 0)
    throw new CommandError(
      'this collector reads whole domains: remove the organizational units from the job',
    );
  if (job.all_trusted_domains && !isForest)
    throw new CommandError(
      'this collector reads only the domain of its domain controllers: start it with --forest for all domains of the forest, and one collector for each other trusted domain',
    );
}

const idsOf = ({ domains }: ClientJob): readonly string[] =>
  domains.map((one) => (typeof one === 'string' ? one : one.objectid));

/**
 * @returns whether the job requests a domain: by its id, or all
 * @throws CommandError for a domain that the forest does not have
 */
function wantedBy(
  job: ClientJob,
  all: readonly { readonly sid: string }[],
  { isForest }: Domains,
): (domain: { readonly sid: string }) => boolean {
  const ids = idsOf(job);
  if (!isForest || ids.length === 0 || job.all_trusted_domains) return () => true;
  const unknown = ids.filter((id) => !all.some(({ sid }) => sid === id));
  if (unknown.length > 0)
    throw new CommandError(`the job requests ${unknown.join(', ')}, which is not a domain of this forest`);
  return ({ sid }) => ids.includes(sid);
}

/** For a collector of one domain, whose id is known only after reading. */
function refuseDomain(job: ClientJob, { facts }: CollectResult): void {
  const ids = idsOf(job);
  if (ids.length > 0 && !job.all_trusted_domains && !ids.includes(facts.sid))
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

/** Reasons contain texts of a controller, which may repeat the password that it received. */
const resultsOf = ({ read, unread }: Readings, log: RunLog): NonNullable<EndJobRequest['domain_results']> => [
  ...read.map(({ result: { facts, counts } }) => {
    const found = Object.entries(COUNTS).map(([name, type]) => [name, counts[type] ?? 0]);
    return { domain_name: facts.domain, success: true, ...Object.fromEntries(found) };
  }),
  ...unread.map(({ domain, reason }) => ({
    ...{ domain_name: domain, success: false, message: log.clean(reason).slice(0, MAX_MESSAGE) },
  })),
];
