/** The rows of the list of findings: single findings, and groups of similar ones, which open in place. */
import type { FindingGroup, UnifiedFindingRow } from '@clew/api';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { Address } from '../../address.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { findingFilters } from './filterChips.ts';

export const PAGE = 50;
/** Maximum number of rows of an opened group; its separate list shows all. */
export const MAX_INSIDE = 100;
export const URGENCY = ['urgency'];

export interface Listed {
  readonly row: UnifiedFindingRow;
  /** The group that the row represents. */
  readonly group?: FindingGroup;
  readonly isInside: boolean;
}

/** Filters for single findings, whose lists are not folded. */
const SINGLES = ['type', 'text', 'principal', 'target', 'cause', 'about', 'repair', 'similar'];

export const keyOfListed = ({ row, group }: Listed): string => group?.key ?? String(row.id);

interface ListedRows {
  readonly query: UseQueryResult<{
    readonly count: number;
    readonly data: readonly (UnifiedFindingRow | FindingGroup)[];
  }>;
  readonly rows: readonly Listed[] | undefined;
  readonly isFolded: boolean;
  readonly isOpen: (group: FindingGroup) => boolean;
  readonly toggle: (group: FindingGroup) => void;
  /** The findings of an opened group; `undefined` for closed groups. */
  readonly insideOf: (group: FindingGroup) => UseQueryResult<unknown> | undefined;
}

export function useListed(address: Address): ListedRows {
  const filters = findingFilters(address);
  const [sort, skip] = [address.get('sort'), address.number('skip', 0)];
  const isFolded = sort === undefined && SINGLES.every((name) => address.get(name) === undefined);
  const groups = useAnswer(
    'ListAttackPathFindingGroups',
    { query: { by: 'similar', ...filters, skip, limit: PAGE } },
    { enabled: isFolded, keep: true },
  );
  const list = useAnswer(
    'ListAttackPathFindings',
    { query: { ...filters, sort_by: sort === undefined ? URGENCY : [sort], skip, limit: PAGE } },
    { enabled: !isFolded, keep: true },
  );
  const opened = address.all('open');
  // The address may name groups of other pages or filters, or of a list that is not folded: such groups are not requested.
  const shown = isFolded
    ? (groups.data?.data ?? []).filter(({ key, count }) => count > 1 && opened.includes(key))
    : [];
  const inside = useQueries({
    queries: shown.map(({ key }) => {
      const query = { ...filters, similar: `eq:${key}`, sort_by: URGENCY, limit: MAX_INSIDE };
      return {
        queryKey: ['ListAttackPathFindings', { query }],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          call('ListAttackPathFindings', { query }, { signal }),
      };
    }),
  });
  const insideOf = ({ key }: FindingGroup) => inside[shown.findIndex((group) => group.key === key)];
  const rows = isFolded
    ? groups.data?.data.flatMap((group): Listed[] => {
        if (group.count === 1) return [{ row: group.lead, isInside: false }];
        const found = insideOf(group)?.data?.data ?? [];
        return [
          { row: group.lead, group, isInside: false },
          ...found.map((row) => ({ row, isInside: true })),
        ];
      })
    : list.data?.data.map((row) => ({ row, isInside: false }));
  return {
    query: (isFolded ? groups : list) as ListedRows['query'],
    ...{ rows, isFolded, insideOf },
    isOpen: ({ key }) => opened.includes(key),
    toggle: ({ key }) => {
      const next = opened.includes(key) ? opened.filter((one) => one !== key) : [...opened, key];
      address.set({ open: next }, { replace: true });
    },
  };
}
