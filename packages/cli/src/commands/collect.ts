/**
 * `clew collect`: reads a directory with an ordinary account, hands what it says over to the service, and shows the first card of the plan.
 * `--check` only says what the account may see; `--out` writes the files instead of handing them over.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type AccessCheck,
  ATTRIBUTE_COUNT,
  type CollectRequest,
  type CollectResult,
  checkAccess,
  collectDomain,
  signInAtOne,
} from '@clew/collect';
import { phrasesOf } from '@clew/connector';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { kindsOfCard, planText } from '../plan/planPages.ts';
import { Progress } from '../terminal/progress.ts';
import { formatCount, formatDuration, plural, printable } from '../terminal/text.ts';
import { ingestFiles } from '../upload.ts';
import { VERSION } from '../version.ts';
import { type CredentialOptions, readCredentials } from './collectCredentials.ts';
import { formatReport, succeeded } from './ingest.ts';
import { readPlan } from './plan.ts';

export interface CollectOptions extends ConnectionOptions, CredentialOptions {
  /** Names of controllers. */
  readonly host: readonly string[];
  /** Address of the first controller, where its name does not resolve. */
  readonly address?: string;
  readonly ldaps?: boolean;
  readonly starttls?: boolean;
  /** File of the authority of the controllers' certificates. */
  readonly ca?: string;
  /** SYSVOL as a directory. */
  readonly sysvol?: string;
  readonly check?: boolean;
  readonly out?: string;
}

const PREFIX = 'clew-collect-';

export async function collect(context: Context, options: CollectOptions): Promise<number> {
  const { out, err, signal, directory } = context;
  if (options.ldaps && options.starttls)
    throw new CommandError('--ldaps and --starttls exclude each other', EXIT.usage);
  // Whether the service takes it is asked first: an hour of reading would be lost otherwise.
  const client = options.check || options.out !== undefined ? undefined : await connect(context, options);
  await client?.call('GetApiVersion', undefined, { signal });
  const encryption = options.ldaps ? 'ldaps' : options.starttls ? 'starttls' : 'sealed';
  const progress = new Progress(err);
  const request: Omit<CollectRequest, 'directory'> = {
    controllers: options.host.map((host, at) => ({ host, ...(at === 0 && { address: options.address }) })),
    ...{ encryption, credentials: await readCredentials(context, options, encryption) },
    ...(options.ca !== undefined && { ca: await readFile(resolve(directory, options.ca)) }),
    ...(options.sysvol !== undefined && { sysvol: resolve(directory, options.sysvol) }),
    ...{ collector: `clew ${VERSION}`, signal },
    onProgress: (text) => progress.show({ label: `Reading: ${text}` }),
  };
  if (options.check) {
    out.write(formatCheck(await checked({ ...request, directory: '' }, options.user), options));
    return 0;
  }
  const began = performance.now();
  const target = options.out === undefined ? await temporaryDirectory() : resolve(directory, options.out);
  try {
    const result = await collectDomain({ ...request, directory: target }).finally(() => progress.clear());
    out.write(formatResult(result, performance.now() - began));
    if (client === undefined) {
      out.write(`Files are in ${target}\n`);
      return 0;
    }
    const outcome = await ingestFiles(client, result.files, err, signal);
    out.write(formatReport(out, outcome));
    if (!succeeded(outcome)) return EXIT.failed;
    const plan = await readPlan(context, client, { limit: 1 });
    out.write(`\n${planText(out, plan, await phrasesOf(client, plan.cards.flatMap(kindsOfCard), signal))}`);
    return 0;
  } finally {
    if (options.out === undefined) await rm(target, { recursive: true, force: true });
  }
}

async function checked(request: CollectRequest, user: string | undefined): Promise<AccessCheck> {
  const client = await signInAtOne(request);
  try {
    return await checkAccess(client, user?.split('@')[0]);
  } finally {
    client.close();
  }
}

/** A directory for this run alone. Those of runs that were killed are removed first: a map of a network does not stay behind. */
async function temporaryDirectory(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function formatResult({ facts, counts, notes, sysvolFault }: CollectResult, milliseconds: number): string {
  const parts = Object.entries(counts).map(([type, count]) => `${formatCount(count)} ${type}`);
  const lines = [
    `Read ${facts.domain} from ${facts.controller} in ${formatDuration(milliseconds)}: ${parts.join(', ')}`,
    ...(sysvolFault === undefined
      ? []
      : [`  Note: settings of group policies were not read: ${sysvolFault}`]),
    ...notes.map(({ what, count, first }) => `  Note: ${what}: ${formatCount(count)}, first ${first}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function formatCheck(check: AccessCheck, { user }: CollectOptions): string {
  const { facts, accessLists, tierZeroGroups } = check;
  const hidden = accessLists.seen - accessLists.readable;
  const account = user ?? 'The account';
  const lines = [
    `Signed in at ${facts.controller}, controller of ${facts.domain}, and encrypted`,
    ...(tierZeroGroups.length > 0
      ? [
          `Warning: ${account} is in ${tierZeroGroups.join(', ')}. Reading needs an ordinary account: use one that is in no such group`,
        ]
      : check.isAccountFound
        ? [`${account} is an ordinary account, as it should be`]
        : ['The groups of the account are not known: it was not found by its name']),
    hidden === 0
      ? 'Access lists can be read'
      : `Access lists of ${hidden} of ${plural(accessLists.seen, 'object')} cannot be read: rights on them will be missing`,
    check.hasCertificateServices
      ? 'Certificate services are there and will be read'
      : 'There are no certificate services',
    check.hasLaps
      ? 'LAPS is there: who may read its passwords will be known; passwords are never asked for'
      : 'LAPS is not in the schema',
    '',
    'Tell the security operations center before the first run; its products watch such searches, and should:',
    `  account ${account}, from host ${hostname()}, to ${facts.controller}: Kerberos (88), LDAP with encryption (389 or 636), SYSVOL by signed SMB (445)`,
    `  ${plural(check.filters.length, 'search', 'searches')}, ${ATTRIBUTE_COUNT} attributes, none with a password; filters:`,
    ...check.filters.map((filter) => `    ${filter}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
