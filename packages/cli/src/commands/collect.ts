/**
 * `clew collect`: reads a directory with an ordinary account, uploads it, and shows the first card of the plan. `--check` only reports what
 * the account may read; `--out` writes files instead of uploading.
 */

import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  type AccessCheck,
  ATTRIBUTE_COUNT,
  type CollectRequest,
  type CollectResult,
  checkAccess,
  collectDomain,
  collectForest,
  PROBES,
  type ProbeTarget,
  signInAtOne,
} from '@clew/collect';
import { counted } from '@clew/model';
import {
  controllersByDomain,
  notesOf,
  readingOf,
  readSource,
  type Source,
  type SourceOptions,
} from '../collector/collectSource.ts';
import { orFailure } from '../collector/failures.ts';
import { temporaryDirectory } from '../collector/temporaryDirectory.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { Progress } from '../terminal/progress.ts';
import { printable } from '../terminal/text.ts';
import { type CollectedPart, type RunOptions, runCollector } from './collectRun.ts';

export interface CollectOptions extends RunOptions, SourceOptions {
  readonly check?: boolean;
  /** Whether to read all domains of the forest. */
  readonly forest?: boolean;
  readonly probe?: readonly string[];
  readonly listProbes?: boolean;
  /** Number of probes started per second. */
  readonly probeRate?: string;
  /** `south.example.test=dc2.south.example.test`. */
  readonly domainHost?: readonly string[];
}

export async function collect(context: Context, options: CollectOptions): Promise<number> {
  const progress = new Progress(context.err);
  if (options.domainHost !== undefined && !options.forest)
    throw new CommandError('--domain-host needs --forest', EXIT.usage);
  if (options.forest && options.probe !== undefined)
    throw new CommandError('--probe and --forest cannot be combined', EXIT.usage);
  if (options.listProbes && options.out !== undefined)
    throw new CommandError(
      '--list-probes and --out cannot be combined: --list-probes writes no files',
      EXIT.usage,
    );
  const probes = probesOf(context, options, progress);
  const controllersOf = controllersByDomain(options.domainHost ?? []);
  const source = await orFailure(readSource(context, options));
  const requestFor = (directory: string): CollectRequest => ({
    ...{ ...source, directory, probes },
    onProgress: (text) => progress.show({ label: `Reading: ${text}` }),
  });
  if (options.check) {
    const checking = checked(requestFor(context.directory), options.user);
    context.out.write(await orFailure(checking.finally(() => progress.clear())));
    return 0;
  }
  if (options.listProbes) {
    await listed(requestFor, progress);
    return 0;
  }
  return runCollector(context, options, async (directory) => {
    const request = requestFor(directory);
    if (!options.forest) {
      const result = await collectDomain(request).finally(() => progress.clear());
      return { parts: [partOf(result, source)], files: result.files };
    }
    const { domains, unread } = await collectForest({ ...request, controllersOf }).finally(() =>
      progress.clear(),
    );
    return {
      parts: domains.map((result) => partOf(result, source)),
      files: domains.flatMap(({ files }) => files),
      unread: unread.map(({ domain, reason }) => `${domain} was not read: ${reason}`),
    };
  });
}

/** Hosts are known after the domain was read; the data is neither uploaded nor kept. */
async function listed(requestFor: (directory: string) => CollectRequest, progress: Progress): Promise<void> {
  const directory = await temporaryDirectory();
  try {
    await orFailure(collectDomain(requestFor(directory)).finally(() => progress.clear()));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function partOf(result: CollectResult, source: Source): CollectedPart {
  const { facts, counts } = result;
  const notes = notesOf(result);
  return {
    ...{ counts, notes, subject: `${facts.domain} from ${facts.controller}` },
    reading: [facts.sid, readingOf({ facts, notes }, source, true)],
  };
}

const DEFAULT_RATE = 10;
const MAX_RATE = 1_000;
const SHOWN_HOSTS = 10;

/** @throws CommandError for an unknown probe */
function probesOf(
  context: Context,
  { probe = [], listProbes, probeRate }: CollectOptions,
  progress: Progress,
): CollectRequest['probes'] {
  const unknown = probe.find((name) => !PROBES.some((one) => one === name));
  if (unknown !== undefined)
    throw new CommandError(`--probe must be one of ${PROBES.join(', ')}, not ${unknown}`, EXIT.usage);
  if (probe.length === 0 && (listProbes || probeRate !== undefined))
    throw new CommandError('--list-probes and --probe-rate need --probe', EXIT.usage);
  const perSecond = probeRate === undefined ? DEFAULT_RATE : Number(probeRate);
  if (!(perSecond > 0 && perSecond <= MAX_RATE))
    throw new CommandError(`--probe-rate must be a number up to ${MAX_RATE}`, EXIT.usage);
  if (probe.length === 0) return undefined;
  return {
    ...{ probes: PROBES.filter((one) => probe.includes(one)), perSecond },
    onTargets: (targets) => {
      progress.clear();
      if (listProbes)
        for (const { probe: name, host } of targets) context.out.write(`${name} ${printable(host)}\n`);
      else context.err.write(probeText(targets, perSecond));
      return listProbes !== true;
    },
  };
}

function probeText(targets: readonly ProbeTarget[], perSecond: number): string {
  const lines = PROBES.flatMap((name) => {
    const hosts = targets.filter(({ probe }) => probe === name).map(({ host }) => host);
    if (hosts.length === 0) return [];
    const rest = hosts.length > SHOWN_HOSTS ? ', ...' : '';
    return [
      `Probing ${name}: ${counted(hosts.length, 'host')}: ${hosts.slice(0, SHOWN_HOSTS).join(', ')}${rest}`,
    ];
  });
  return [...lines, `At most ${perSecond} start per second`].map((line) => `${printable(line)}\n`).join('');
}

async function checked(request: CollectRequest, user: string | undefined): Promise<string> {
  const { credentials } = request;
  const ofKerberos = credentials.kind === 'kerberos' ? credentials.account : undefined;
  const name = user ?? (ofKerberos && `${ofKerberos.user}@${ofKerberos.realm}`);
  const client = await signInAtOne(request);
  try {
    return formatCheck(await checkAccess(client, name?.split('@')[0]), name);
  } finally {
    client.close();
  }
}

/** @param user name of the account; undefined if only a certificate is used */
function formatCheck(check: AccessCheck, user: string | undefined): string {
  const { facts, accessLists, tierZeroGroups } = check;
  const hidden = accessLists.seen - accessLists.readable;
  const account = user ?? 'The account';
  const lines = [
    `Signed in at ${facts.controller}, domain controller of ${facts.domain}, with encryption`,
    ...(tierZeroGroups.length > 0
      ? [
          `Warning: ${account} is a member of ${tierZeroGroups.join(', ')}. Reading needs only an ordinary account: use one that is not a member of such a group`,
        ]
      : check.isAccountFound
        ? [`${account} is an ordinary account, as recommended`]
        : ['The groups of the account are unknown: the account was not found by its name']),
    accessLists.seen === 0
      ? 'Warning: this account can see no object, so access control lists are unknown'
      : hidden === 0
        ? 'Access control lists can be read'
        : `Access control lists of ${hidden} of ${counted(accessLists.seen, 'object')} cannot be read: rights on them will be missing`,
    check.hasCertificateServices ? 'AD CS exists and will be read' : 'AD CS does not exist',
    ...(facts.others.length === 0
      ? []
      : [
          `Other domains of the forest, which --forest also reads: ${facts.others.map(({ domain }) => domain).join(', ')}`,
        ]),
    check.hasLaps
      ? 'LAPS exists: the principals that can read its passwords are collected; passwords are never read'
      : 'The schema does not contain LAPS',
    '',
    'Inform the security operations center before the first run; its products detect such searches, and should:',
    `  account ${user ?? 'of the certificate'}, from host ${hostname()}, to ${facts.controller}: Kerberos (88), LDAP with encryption (389 or 636), SYSVOL over signed SMB (445)`,
    `  ${counted(check.filters.length, 'search', 'searches')}, ${ATTRIBUTE_COUNT} attributes, none with a password; filters:`,
    ...check.filters.map((filter) => `    ${filter}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
