/**
 * All types of collection files, with the readers of their objects. A new type is a new file and a row here.
 *
 * Rules: `docs/reference/collections.md#types`.
 */
import { azure } from './azurehound/reader.ts';
import { fileFault } from './fileFault.ts';
import type { CollectionHeader } from './header.ts';
import { openGraph } from './opengraph/reader.ts';
import type { CollectionReader } from './reader.ts';
import { aiaCas } from './sharphound/aiaCas.ts';
import { certTemplates } from './sharphound/certTemplates.ts';
import { computers } from './sharphound/computers.ts';
import { containers } from './sharphound/containers.ts';
import { deleted } from './sharphound/deleted.ts';
import { domains } from './sharphound/domains.ts';
import { enterpriseCas } from './sharphound/enterpriseCas.ts';
import { gpos } from './sharphound/gpos.ts';
import { groups } from './sharphound/groups.ts';
import { issuancePolicies } from './sharphound/issuancePolicies.ts';
import { ntAuthStores } from './sharphound/ntAuthStores.ts';
import { ous } from './sharphound/ous.ts';
import { rootCas } from './sharphound/rootCas.ts';
import { sessions } from './sharphound/sessions.ts';
import { siteServers } from './sharphound/siteServers.ts';
import { siteSubnets } from './sharphound/siteSubnets.ts';
import { sites } from './sharphound/sites.ts';
import { users } from './sharphound/users.ts';

/** The type has a name but no objects: local groups are part of computers. */
const localGroups: CollectionReader = {
  type: 'localgroups',
  format: 'sharphound',
  begin: () => fileFault('no-reader', 'local groups are read from the computers they belong to'),
};

const READERS: readonly CollectionReader[] = [
  users,
  groups,
  computers,
  domains,
  gpos,
  ous,
  containers,
  sessions,
  aiaCas,
  rootCas,
  enterpriseCas,
  ntAuthStores,
  certTemplates,
  issuancePolicies,
  sites,
  siteServers,
  siteSubnets,
  deleted,
  localGroups,
  azure,
  openGraph,
];

const byType: ReadonlyMap<string, CollectionReader> = new Map(READERS.map((reader) => [reader.type, reader]));

/** @returns the reader for a `meta.type`; `undefined` for any other name, including `opengraph` */
export function findReader(type: string): CollectionReader | undefined {
  return type === openGraph.type ? undefined : byType.get(type);
}

export function readerFor(header: CollectionHeader): CollectionReader | undefined {
  return byType.get(header.type ?? header.format);
}
