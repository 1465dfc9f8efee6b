/** Addresses of the public product, as found in alerts and tickets, and the pages of this interface that answer them. */
import { pathTo } from './address.ts';

interface OlderPage {
  readonly page: string;
  readonly view?: string;
  /** Whether the parameters in `FILTERS` filter the page. */
  readonly isFiltered?: boolean;
}

const OLDER: Readonly<Record<string, OlderPage>> = {
  '/remediation': { page: 'findings', isFiltered: true },
  '/graphview': { page: 'findings', isFiltered: true },
  '/attack-paths': { page: 'findings', isFiltered: true },
  '/zone-management': { page: 'admin', view: 'zones' },
  '/privilege-zones': { page: 'admin', view: 'zones' },
  '/group-management': { page: 'admin', view: 'zones' },
  '/administration/file-ingest': { page: 'data', view: 'uploads' },
  '/administration/data-quality': { page: 'data' },
  '/administration/database-management': { page: 'data', view: 'clearing' },
  '/administration/manage-users': { page: 'admin' },
  '/administration/sso-configuration': { page: 'admin', view: 'sso' },
  '/download-collectors': { page: 'data', view: 'collectors' },
  '/my-profile': { page: 'profile' },
  '/user-profile': { page: 'profile' },
};

export const OLDER_PATHS: readonly string[] = Object.keys(OLDER);

/** Parameters of those addresses, and the filters of the page with the same meaning. */
const FILTERS: readonly (readonly [name: string, filter: string])[] = [
  ['findingType', 'type'],
  ['findingName', 'type'],
  ['environmentId', 'env'],
  ['assetGroupTagId', 'zone'],
];

/** @param path one of `OLDER_PATHS` @param search the query of the address @returns the address below `/ui` */
export function pageOfOlder(path: string, search: string): string {
  const { page, view, isFiltered = false } = OLDER[path] as OlderPage;
  const given = new URLSearchParams(search);
  const filters = FILTERS.flatMap(([name, filter]) => {
    const value = given.get(name) ?? '';
    return isFiltered && value !== '' ? [[filter, value] as const] : [];
  });
  return pathTo(page, { view, ...Object.fromEntries(filters) });
}
