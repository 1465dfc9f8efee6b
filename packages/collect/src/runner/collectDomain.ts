/**
 * One run: signs in to the first controller that answers, reads its domain, and writes complete collection files. A failed run leaves no
 * files, so half a domain can never be uploaded.
 */
import type { ChangeReport, DomainChanges } from '../directory/changes.ts';
import { Notes } from '../directory/notes.ts';
import { type DomainReport, type ReadOptions, readDomain } from '../directory/readDomain.ts';
import type { WriteRecord } from '../directory/secondPass.ts';
import { CollectionFiles, METHODS_OF_DIRECTORY, METHODS_OF_SYSVOL } from '../files/collectionFiles.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import { type Controller, isRefused, type SignInRequest, signInAt, ticketAt } from '../signIn/signIn.ts';
import { SMB_PORT } from '../smb/smbShare.ts';
import { openSysvol } from '../smb/sysvolShare.ts';
import { MountedPolicyFiles, type PolicyFiles } from '../sysvol/policyFiles.ts';
import { type ProbeRequest, ProbeTargets } from './probeDomain.ts';

export interface CollectRequest extends Omit<SignInRequest, 'controller'> {
  /** Controllers of one domain; the next one is tried if one does not answer, and never after a refused sign-in. */
  readonly controllers: readonly Controller[];
  /** Output directory; created if missing, for its user only. */
  readonly directory: string;
  /** SYSVOL as a local directory; without it, SYSVOL is read from the controller, if the sign-in uses Kerberos. */
  readonly sysvol?: string;
  /** Name and version, for the files. */
  readonly collector: string;
  /** Part of file names, if several domains share a directory. */
  readonly label?: string;
  /** Whether to read what all domains of a forest share; default: yes. */
  readonly readsConfiguration?: boolean;
  /** Whether to read time, controller and number of the last writes. */
  readonly readsWrites?: boolean;
  /** Probes hosts over the network if the user requests it; only in `collectDomain`. */
  readonly probes?: ProbeRequest;
  readonly pageSize?: number;
  readonly rangeSize?: number;
  readonly onProgress?: (text: string) => void;
  /** Cancels the run, which then leaves no file. */
  readonly signal?: AbortSignal;
}

export interface CollectResult extends DomainReport {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** Why policy settings were not read; undefined if they were. */
  readonly sysvolFault: string | undefined;
  readonly bytesRead: number;
}

/** @throws Error with the remedy */
export const collectDomain = async (request: CollectRequest): Promise<CollectResult> =>
  withDirectory(request, async (client, write, options) => {
    const { probes } = request;
    if (probes === undefined) return readDomain(client, write, options);
    const targets = new ProbeTargets(probes);
    const report = await readDomain(client, targets.watch(write), options);
    const notes = new Notes();
    const { credentials, otherDomain, controllers, ca, signal } = request;
    const home = controllers.find(({ host }) => host === client.host) ?? controllers[0];
    const ticketFor =
      credentials.kind === 'kerberos'
        ? (host: string) => ticketAt({ controller: home, otherDomain }, credentials.account, `ldap/${host}`)
        : undefined;
    await targets.run({ write, note: (what, example) => notes.add(what, example), ticketFor, ca, signal });
    return { ...report, notes: [...report.notes, ...notes.list()] };
  });

/** @returns the state for later readings of changes, once the records of this reading were uploaded @throws Error with the remedy */
export const collectAll = async (request: CollectRequest, changes: DomainChanges): Promise<CollectResult> =>
  withDirectory(request, (client, write, options) => changes.readAll(client, write, options));

export interface ChangesRequest extends CollectRequest {
  /** Whether to look for deletions. */
  readonly sweeps: boolean;
}

/** Files with the changes since the last uploaded reading; none if nothing changed. @throws FullReadingNeeded */
export const collectChanges = async (
  request: ChangesRequest,
  changes: DomainChanges,
): Promise<Collected<ChangeReport>> =>
  withDirectory(
    request,
    (client, write, options) => changes.readChanges(client, write, { ...options, sweeps: request.sweeps }),
    changes.readsSysvol ? openWhenAsked : async () => ({ fault: undefined }),
  );

type Collected<Report> = Report & Pick<CollectResult, 'files' | 'sysvolFault' | 'bytesRead'>;

async function withDirectory<Report extends object>(
  request: CollectRequest,
  read: (client: LdapClient, write: WriteRecord, options: ReadOptions) => Promise<Report>,
  openPolicies = openPolicyFiles,
): Promise<Collected<Report>> {
  const { directory, collector, label, pageSize, rangeSize, readsConfiguration, onProgress, signal } =
    request;
  const { client, controller } = await signInAtFirst(request);
  const abort = (): void => client.connection.destroy(new Error('the run was canceled'));
  signal?.addEventListener('abort', abort, { once: true });
  let policyFiles: PolicyFiles | undefined;
  let files: CollectionFiles | undefined;
  try {
    signal?.throwIfAborted();
    const policies = await openPolicies(request, controller);
    policyFiles = policies.files;
    const methods = METHODS_OF_DIRECTORY | (policyFiles === undefined ? 0 : METHODS_OF_SYSVOL);
    files = new CollectionFiles(directory, { methods, collector, label });
    const report = await read(client, files.write.bind(files), {
      ...{ policyFiles, pageSize, rangeSize, readsConfiguration, onProgress },
      ...{ openCatalog: () => openCatalog(request), readsWrites: request.readsWrites },
    });
    const paths = await files.finish();
    const { bytesRead } = client.connection;
    return { ...report, files: paths, sysvolFault: policies.fault, bytesRead };
  } catch (error) {
    await files?.discard();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    policyFiles?.close();
    client.close();
  }
}

/** The parts of a request that a sign-in needs. */
export type SignInAtOneRequest = Omit<SignInRequest, 'controller'> &
  Pick<CollectRequest, 'controllers' | 'onProgress'>;

/** @throws the error of a refused sign-in at once, else the error of the last controller */
export const signInAtOne = async (request: SignInAtOneRequest): Promise<LdapClient> =>
  (await signInAtFirst(request)).client;

/** Tries the next controller if one has no global catalog. */
const openCatalog = async (request: CollectRequest): Promise<LdapClient> => {
  const tls = request.encryption === 'ldaps';
  const controllers = request.controllers.map(({ catalogPort, ...controller }) => ({
    ...controller,
    port: catalogPort ?? (tls ? CATALOG_PORT.tls : CATALOG_PORT.plain),
  }));
  const { client } = await signInAtFirst({ ...request, controllers, onProgress: undefined });
  return client;
};

/** Ports of the global catalog (MS-ADTS 3.1.1.3.1.10). */
const CATALOG_PORT = { plain: 3268, tls: 3269 } as const;

interface SignedIn {
  readonly client: LdapClient;
  readonly controller: Controller;
}

async function signInAtFirst({ controllers, onProgress, ...request }: SignInAtOneRequest): Promise<SignedIn> {
  let failure: unknown = new Error('no controller is named');
  for (const controller of controllers)
    try {
      const client = await signInAt({ ...request, controller });
      onProgress?.(`signed in at ${controller.host}`);
      return { client, controller };
    } catch (error) {
      if (isRefused(error)) throw error;
      failure = error;
      onProgress?.((error as Error).message);
    }
  throw failure;
}

interface OpenedPolicies {
  readonly files?: PolicyFiles;
  readonly fault: string | undefined;
}

/** Without policy settings, the rest of a domain is still read. */
async function openPolicyFiles(
  { sysvol, credentials, otherDomain }: CollectRequest,
  controller: Controller,
): Promise<OpenedPolicies> {
  if (sysvol !== undefined) return { files: new MountedPolicyFiles(sysvol), fault: undefined };
  if (credentials.kind !== 'kerberos')
    return {
      fault:
        'SYSVOL can be read only with Kerberos: sign in without --ldaps and --starttls, or mount it (--sysvol)',
    };
  const { host, address } = controller;
  try {
    const ticket = await ticketAt({ controller, otherDomain }, credentials.account, `cifs/${host}`);
    return { files: await openSysvol({ host, address, port: SMB_PORT }, ticket), fault: undefined };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Few changes concern policies, so SYSVOL is opened on demand. */
async function openWhenAsked(request: CollectRequest, controller: Controller): Promise<OpenedPolicies> {
  let opened: Promise<OpenedPolicies> | undefined;
  const files: PolicyFiles = {
    read: async (path) => {
      opened ??= openPolicyFiles(request, controller);
      const { files: found, fault } = await opened;
      if (found === undefined) throw new Error(fault);
      return found.read(path);
    },
    close: () => void opened?.then(({ files: found }) => found?.close()),
  };
  return { files, fault: undefined };
}
