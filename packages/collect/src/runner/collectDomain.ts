/**
 * One run: signs in at the first controller that answers, reads its domain, and leaves whole collection files. A run that fails leaves none,
 * so nothing of half a domain can be handed over.
 */
import { type DomainReport, readDomain } from '../directory/readDomain.ts';
import { CollectionFiles, METHODS_OF_DIRECTORY, METHODS_OF_SYSVOL } from '../files/collectionFiles.ts';
import { ticketFor } from '../kerberos/tickets.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import {
  type Controller,
  isRefused,
  kerberosTarget,
  type SignInRequest,
  signInAt,
} from '../signIn/signIn.ts';
import { SMB_PORT } from '../smb/smbShare.ts';
import { openSysvol } from '../smb/sysvolShare.ts';
import { MountedPolicyFiles, type PolicyFiles } from '../sysvol/policyFiles.ts';

export interface CollectRequest extends Omit<SignInRequest, 'controller'> {
  /** Controllers of one domain; the next one is asked when one does not answer, and never after a refused sign-in. */
  readonly controllers: readonly Controller[];
  /** Where files are written; made where it is missing, for its user alone. */
  readonly directory: string;
  /** SYSVOL as a directory of this host; without one it is read from the controller, where the sign-in is by Kerberos. */
  readonly sysvol?: string;
  /** Name and version, for the files. */
  readonly collector: string;
  readonly pageSize?: number;
  readonly rangeSize?: number;
  readonly onProgress?: (text: string) => void;
  /** Aborting ends the run; it leaves no file. */
  readonly signal?: AbortSignal;
}

export interface CollectResult extends DomainReport {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** Why settings of group policies were not read; undefined where they were. */
  readonly sysvolFault: string | undefined;
  readonly bytesRead: number;
}

/** @throws Error that names the remedy */
export async function collectDomain(request: CollectRequest): Promise<CollectResult> {
  const { directory, collector, pageSize, rangeSize, onProgress, signal } = request;
  const { client, controller } = await signInAtFirst(request);
  const abort = (): void => client.connection.destroy(new Error('the run was ended'));
  signal?.addEventListener('abort', abort, { once: true });
  let policyFiles: PolicyFiles | undefined;
  let files: CollectionFiles | undefined;
  try {
    signal?.throwIfAborted();
    const policies = await openPolicyFiles(request, controller);
    policyFiles = policies.files;
    const methods = METHODS_OF_DIRECTORY | (policyFiles === undefined ? 0 : METHODS_OF_SYSVOL);
    files = new CollectionFiles(directory, methods, collector);
    const write = files.write.bind(files);
    const report = await readDomain(client, write, { policyFiles, pageSize, rangeSize, onProgress });
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

/** @throws the error of a refused sign-in at once, else that of the last controller */
export const signInAtOne = async (request: CollectRequest): Promise<LdapClient> =>
  (await signInAtFirst(request)).client;

interface SignedIn {
  readonly client: LdapClient;
  readonly controller: Controller;
}

async function signInAtFirst({ controllers, onProgress, ...request }: CollectRequest): Promise<SignedIn> {
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

/** Without the settings of policies, the rest of a domain is still worth reading. */
async function openPolicyFiles(
  { sysvol, credentials }: CollectRequest,
  controller: Controller,
): Promise<OpenedPolicies> {
  if (sysvol !== undefined) return { files: new MountedPolicyFiles(sysvol), fault: undefined };
  if (credentials.kind !== 'kerberos')
    return {
      fault:
        'SYSVOL is read with Kerberos alone: sign in without --ldaps and --starttls, or mount it (--sysvol)',
    };
  const { host, address } = controller;
  try {
    const ticket = await ticketFor(kerberosTarget(controller), credentials.account, `cifs/${host}`);
    return { files: await openSysvol({ host, address, port: SMB_PORT }, ticket), fault: undefined };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
