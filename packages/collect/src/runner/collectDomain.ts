/**
 * One run: signs in at the first controller that answers, reads its domain, and leaves whole collection files. A run that fails leaves none,
 * so nothing of half a domain can be handed over.
 */

import { type DomainReport, readDomain } from '../directory/readDomain.ts';
import { CollectionFiles, METHODS_OF_DIRECTORY, METHODS_OF_SYSVOL } from '../files/collectionFiles.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import { type Controller, isRefused, type SignInRequest, signInAt } from '../signIn/signIn.ts';
import { MountedPolicyFiles } from '../sysvol/policyFiles.ts';

export interface CollectRequest extends Omit<SignInRequest, 'controller'> {
  /** Controllers of one domain; the next one is asked when one does not answer, and never after a refused sign-in. */
  readonly controllers: readonly Controller[];
  /** Where files are written; made where it is missing, for its user alone. */
  readonly directory: string;
  /** SYSVOL as a directory of this host. */
  readonly sysvol?: string;
  /** Name and version, for the files. */
  readonly collector: string;
  readonly pageSize?: number;
  readonly rangeSize?: number;
  readonly onProgress?: (text: string) => void;
}

export interface CollectResult extends DomainReport {
  /** Paths of the files. */
  readonly files: readonly string[];
  readonly bytesRead: number;
}

/** @throws Error that names the remedy */
export async function collectDomain(request: CollectRequest): Promise<CollectResult> {
  const { directory, sysvol, collector, pageSize, rangeSize, onProgress } = request;
  const client = await signInAtOne(request);
  const methods = METHODS_OF_DIRECTORY | (sysvol === undefined ? 0 : METHODS_OF_SYSVOL);
  const files = new CollectionFiles(directory, methods, collector);
  const policyFiles = sysvol === undefined ? undefined : new MountedPolicyFiles(sysvol);
  try {
    const write = (type: string, record: object): Promise<void> => files.write(type, record);
    const report = await readDomain(client, write, { policyFiles, pageSize, rangeSize, onProgress });
    const paths = await files.finish();
    return { ...report, files: paths, bytesRead: client.connection.bytesRead };
  } catch (error) {
    await files.discard();
    throw error;
  } finally {
    client.close();
  }
}

/** @throws the error of a refused sign-in at once, else that of the last controller */
export async function signInAtOne({
  controllers,
  onProgress,
  ...request
}: CollectRequest): Promise<LdapClient> {
  let failure: unknown = new Error('no controller is named');
  for (const controller of controllers)
    try {
      const client = await signInAt({ ...request, controller });
      onProgress?.(`signed in at ${controller.host}`);
      return client;
    } catch (error) {
      if (isRefused(error)) throw error;
      failure = error;
      onProgress?.((error as Error).message);
    }
  throw failure;
}
