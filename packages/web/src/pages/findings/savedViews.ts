/** Saved views of findings: views of earlier versions, and filters that no longer exist. */
import { PLACES } from '../../parts/viewAddress.ts';
import { CHIP_NAMES } from './filterChips.ts';

/** Earlier versions stored views in the browser. */
const OLD_VIEWS = 'clew.finding-views';
const MAX_OLD = 30;

interface OldView {
  readonly name: string;
  readonly query: string;
}

export function oldViews(): readonly OldView[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(OLD_VIEWS) ?? '[]');
    const isView = (one: unknown): one is OldView =>
      typeof one === 'object' &&
      one !== null &&
      typeof (one as OldView).name === 'string' &&
      (one as OldView).name.trim() !== '' &&
      typeof (one as OldView).query === 'string';
    return Array.isArray(value) ? value.filter(isView).slice(0, MAX_OLD) : [];
  } catch {
    return [];
  }
}

export function forgetOldViews(): void {
  try {
    localStorage.removeItem(OLD_VIEWS);
  } catch {
    // The old views are not read again.
  }
}

export interface Known {
  /** Ids; `undefined` while unknown. */
  readonly types?: ReadonlySet<string>;
  readonly zones?: ReadonlySet<string>;
  readonly environments?: ReadonlySet<string>;
  readonly owners?: ReadonlySet<string>;
}

export interface LostFilter {
  readonly name: string;
  readonly words: string;
}

const OTHER_NAMES = ['env', 'zone', 'view', 'sort', 'days', 'since', ...PLACES];
const SEVERITIES: ReadonlySet<string> = new Set(['critical', 'high', 'moderate', 'low']);
const STATUSES: ReadonlySet<string> = new Set(['active', 'accepted', 'remediated', 'orphaned', 'deprecated']);

/** @returns filters of an address whose values no longer exist: they either match nothing or are ignored */
export function lostFilters(search: string, known: Known): readonly LostFilter[] {
  const isLost = (name: string, value: string): string | undefined => {
    const lost = (words: string, ids: ReadonlySet<string> | undefined) =>
      ids === undefined || ids.has(value) ? undefined : words;
    switch (name) {
      case 'type':
        return lost(`the finding type ${value}`, known.types);
      case 'zone':
        return value === '0' ? undefined : lost(`zone ${value}`, known.zones);
      case 'env':
        return lost(`the environment ${value}`, known.environments);
      case 'owner':
        return value === 'me' || value === 'none' ? undefined : lost('an owner', known.owners);
      case 'severity':
        return lost(`the severity ${value}`, SEVERITIES);
      case 'status':
        return lost(`the status ${value}`, STATUSES);
      default:
        return CHIP_NAMES.some((chip) => chip === name) || OTHER_NAMES.includes(name)
          ? undefined
          : `the filter ${name}`;
    }
  };
  return [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const words = isLost(name, value);
    return words === undefined ? [] : [{ name, words }];
  });
}
