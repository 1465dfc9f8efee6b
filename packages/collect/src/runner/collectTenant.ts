/** One run over an Entra ID tenant, which leaves a complete file or none. */
import { GraphClient } from '../entra/graphClient.ts';
import type { GraphAccount, GraphPlaces } from '../entra/graphSignIn.ts';
import { readTenant, type TenantReport } from '../entra/readTenant.ts';
import type { TenantState } from '../entra/tenantChanges.ts';
import { CollectionFiles } from '../files/collectionFiles.ts';

export interface TenantPlaces extends GraphPlaces {
  /** `https://management.azure.com`; without it, resources are not read. */
  readonly manager?: string;
}

export interface TenantRequest {
  readonly account: GraphAccount;
  /** Default: the public cloud. */
  readonly places?: TenantPlaces;
  /** Whether to read Azure resources; default: yes. */
  readonly readsResources?: boolean;
  /** Output directory; created if missing, for its user only. */
  readonly directory: string;
  /** Name and version, for the file. */
  readonly collector: string;
  readonly onProgress?: (text: string) => void;
  /** Whether the result has a state for the next run. */
  readonly keepsState?: boolean;
  /** State of an earlier run, whose records were uploaded: only changes since then are read. */
  readonly state?: TenantState;
  /** Whether everything is read; the state then only names removed objects. */
  readonly isFull?: boolean;
}

export interface TenantResult extends TenantReport {
  /** Paths of the files. */
  readonly files: readonly string[];
}

const PUBLIC_CLOUD: TenantPlaces = {
  graph: 'https://graph.microsoft.com',
  login: 'https://login.microsoftonline.com',
  manager: 'https://management.azure.com',
};
/** Version of the AzureHound format. */
const AZURE_FORMAT = 5;

/** @throws Error with the remedy */
export async function collectTenant(request: TenantRequest): Promise<TenantResult> {
  const { account, places = PUBLIC_CLOUD, readsResources = true } = request;
  const { directory, collector, onProgress, keepsState, state, isFull } = request;
  const files = new CollectionFiles(directory, { methods: 0, collector, version: AZURE_FORMAT });
  try {
    const write = (kind: string, data: object): Promise<void> => files.write('azure', { kind, data });
    const { manager, ...graphPlaces } = places;
    const graph = new GraphClient(graphPlaces, account);
    const resources =
      manager === undefined || !readsResources
        ? undefined
        : new GraphClient({ ...graphPlaces, graph: manager }, account, graph);
    const remove = (id: string): Promise<void> => files.write('deleted', { ObjectIdentifier: id });
    const report = await readTenant(graph, write, {
      ...{ onProgress, manager: resources, keepsState, state, isFull, remove },
    });
    return { ...report, files: await files.finish() };
  } catch (error) {
    await files.discard();
    throw error;
  }
}
