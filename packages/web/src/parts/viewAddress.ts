/** The parameters of an address that form a saved view, and the path of its page. */
import type { ViewPage, ViewRecord } from '@clew/api';
import { SCOPE } from '../scope.ts';

interface SavedPage {
  /** Path below `/ui`. */
  readonly path: string;
  /** The view within the page. */
  readonly part?: string;
  /** Names of its filters; default: all parameters except positions. */
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

/** Positions in a list, which are not part of a view: the page, the opened rows, and the previewed row. */
export const PLACES: readonly string[] = ['skip', 'open', 'peek'];

/** @param search query of the address @returns its part that forms a view */
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
