/** One run over a tenant of Entra ID, which leaves a whole file or none. */
import { GraphClient } from '../entra/graphClient.ts';
import type { GraphAccount, GraphPlaces } from '../entra/graphSignIn.ts';
import { readTenant, type TenantReport } from '../entra/readTenant.ts';
import { CollectionFiles } from '../files/collectionFiles.ts';

export interface TenantRequest {
  readonly account: GraphAccount;
  /** Default: the public cloud. */
  readonly places?: GraphPlaces;
  /** Where the file is written; made where it is missing, for its user alone. */
  readonly directory: string;
  /** Name and version, for the file. */
  readonly collector: string;
  readonly onProgress?: (text: string) => void;
}

export interface TenantResult extends TenantReport {
  /** Paths of the files. */
  readonly files: readonly string[];
}

const PUBLIC_CLOUD: GraphPlaces = {
  graph: 'https://graph.microsoft.com',
  login: 'https://login.microsoftonline.com',
};
/** Version of the format that AzureHound writes. */
const AZURE_FORMAT = 5;

/** @throws Error that names the remedy */
export async function collectTenant(request: TenantRequest): Promise<TenantResult> {
  const { account, places = PUBLIC_CLOUD, directory, collector, onProgress } = request;
  const files = new CollectionFiles(directory, { methods: 0, collector, version: AZURE_FORMAT });
  try {
    const write = (kind: string, data: object): Promise<void> => files.write('azure', { kind, data });
    const report = await readTenant(new GraphClient(places, account), write, onProgress);
    return { ...report, files: await files.finish() };
  } catch (error) {
    await files.discard();
    throw error;
  }
}
