/**
 * `clew collect`: reads a directory with an ordinary account, hands what it says over to the service, and shows the first card of the plan.
 * `--check` only says what the account may see; `--out` writes the files instead of handing them over.
 */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  type AccessCheck,
  ATTRIBUTE_COUNT,
  type CollectRequest,
  checkAccess,
  collectDomain,
  signInAtOne,
} from '@clew/collect';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { Progress } from '../terminal/progress.ts';
import { plural, printable } from '../terminal/text.ts';
import { VERSION } from '../version.ts';
import { type CredentialOptions, readAuthority, readCredentials } from './collectCredentials.ts';
import { orFailure, type RunOptions, runCollector } from './collectRun.ts';

export interface CollectOptions extends RunOptions, CredentialOptions {
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
}

export async function collect(context: Context, options: CollectOptions): Promise<number> {
  const { directory: start, err, signal } = context;
  if (options.ldaps && options.starttls)
    throw new CommandError('--ldaps and --starttls exclude each other', EXIT.usage);
  const encryption = options.ldaps ? 'ldaps' : options.starttls ? 'starttls' : 'sealed';
  const progress = new Progress(err);
  const requestFor = async (directory: string): Promise<CollectRequest> => ({
    controllers: options.host.map((host, at) => ({ host, ...(at === 0 && { address: options.address }) })),
    ...{ encryption, credentials: await readCredentials(context, options, encryption) },
    ...(options.ca !== undefined && { ca: await readAuthority(context, options.ca) }),
    ...(options.sysvol !== undefined && { sysvol: resolve(start, options.sysvol) }),
    ...{ collector: `clew ${VERSION}`, signal, directory },
    onProgress: (text) => progress.show({ label: `Reading: ${text}` }),
  });
  if (options.check) {
    const checking = requestFor(start).then((request) => checked(request, options.user));
    context.out.write(await orFailure(checking.finally(() => progress.clear())));
    return 0;
  }
  return runCollector(context, options, async (directory) => {
    const result = await collectDomain(await requestFor(directory)).finally(() => progress.clear());
    const { facts, sysvolFault, notes } = result;
    const unread = { what: 'settings of group policies were not read', count: 1, first: sysvolFault ?? '' };
    return {
      ...result,
      subject: `${facts.domain} from ${facts.controller}`,
      notes: sysvolFault === undefined ? notes : [unread, ...notes],
    };
  });
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

/** @param user name of the account; undefined for a certificate alone */
function formatCheck(check: AccessCheck, user: string | undefined): string {
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
    accessLists.seen === 0
      ? 'Warning: no object is visible to this account, so nothing is known of access lists'
      : hidden === 0
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
    `  account ${user ?? 'of the certificate'}, from host ${hostname()}, to ${facts.controller}: Kerberos (88), LDAP with encryption (389 or 636), SYSVOL by signed SMB (445)`,
    `  ${plural(check.filters.length, 'search', 'searches')}, ${ATTRIBUTE_COUNT} attributes, none with a password; filters:`,
    ...check.filters.map((filter) => `    ${filter}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
