/** The parameters of an address that form a saved view, and the path of the page. */
import type { ViewPage, ViewRecord } from '@clew/api';
import { SCOPE } from '../scope.ts';

interface SavedPage {
  /** Below `/ui`. */
  readonly path: string;
  /** The part of the page. */
  readonly part?: string;
  /** Names of its filters; all but the place in the list where absent. */
  readonly filters?: readonly string[];
}

const PAGES: Readonly<Record<ViewPage, SavedPage>> = {
  findings: { path: 'findings' },
  fix: { path: 'fix', filters: [...SCOPE, 'goal'] },
  changes: { path: 'changes', filters: [...SCOPE, 'days', 'since', 'kind'] },
  posture: { path: 'posture', filters: [...SCOPE, 'view', 'days', 'compare'] },
  audit: { path: 'admin', part: 'audit', filters: ['actor', 'action', 'queries'] },
  certification: { path: 'admin', part: 'certification', filters: ['state', 'tag'] },
  zones: { path: 'admin', part: 'zones', filters: ['tag', 'who', 'from', 'to'] },
};

/** Where a person is in a list, which is not part of a view: the page, the rows that are open, and the row that is shown. */
export const PLACES: readonly string[] = ['skip', 'open', 'peek'];

/** @param search query of the address @returns its part that makes a view */
export function viewQuery(page: ViewPage, search: string): string {
  const { filters } = PAGES[page];
  const kept = [...new URLSearchParams(search)].filter(([name]) =>
    filters === undefined ? !PLACES.includes(name) : filters.includes(name),
  );
  const parameters = new URLSearchParams(kept);
  parameters.sort();
  return parameters.toString();
}

export function viewPath({ page, query }: Pick<ViewRecord, 'page' | 'query'>): string {
  const { path, part } = PAGES[page as ViewPage];
  const parts = [part && `view=${part}`, query].filter((one) => one);
  return parts.length === 0 ? `/${path}` : `/${path}?${parts.join('&')}`;
}
