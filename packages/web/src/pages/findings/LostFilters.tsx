/** Shows filters of the address whose values no longer exist, and removes them on request. */

import { useSearch } from 'wouter';
import type { Address } from '../../address.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { FROM_START } from './filterChips.ts';
import { lostFilters } from './savedViews.ts';

interface LostFiltersProps {
  readonly address: Address;
  /** Filter names of the page; default: those of the list of findings. */
  readonly names?: readonly string[];
}

export function LostFilters({ address, names }: LostFiltersProps) {
  const search = useSearch();
  const has = (name: string): boolean => address.get(name) !== undefined;
  const maySee = useSelf()?.may('auth/ReadUsersMinimal') ?? false;
  const types = useAnswer('ListAttackPathTypes', {}, { enabled: has('type') }).data?.data;
  const zones = useAnswer('GetAssetGroupTags', { query: { type: 'eq:1' } }, { enabled: has('zone') }).data
    ?.data.tags;
  const environments = useAnswer('GetAvailableDomains', {}, { enabled: has('env') }).data?.data;
  const owners = useAnswer('ListAssignableUsers', {}, { enabled: has('owner') && maySee }).data?.data;
  const lost = lostFilters(search, {
    ...(types && { types: new Set(types) }),
    ...(zones && { zones: new Set(zones.map(({ id }) => String(id))) }),
    ...(environments && { environments: new Set(environments.map(({ id }) => id)) }),
    ...(owners && { owners: new Set(owners.map(({ id }) => id)) }),
  }).filter(({ name }) => names?.includes(name) ?? true);
  if (lost.length === 0) return null;
  return (
    <p className="warning" role="status">
      {lost.length === 1 ? 'A filter no longer exists: ' : `${lost.length} filters no longer exist: `}
      {lost.map(({ words }) => shortText(cleanText(words), 80)).join(', ')}.{' '}
      <button
        type="button"
        className="plain"
        onClick={() =>
          address.set({ ...Object.fromEntries(lost.map(({ name }) => [name, undefined])), ...FROM_START })
        }
      >
        {lost.length === 1 ? 'Drop this filter' : 'Drop these filters'}
      </button>
    </p>
  );
}
