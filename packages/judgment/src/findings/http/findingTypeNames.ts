/** Names of finding types in requests are case-insensitive, like object ids. */
import { declaredTypeIds, FINDING_TYPES, RETIRED_FINDINGS } from '@clew/analysis';
import type { Filter } from '@clew/common';
import type { Generation } from '@clew/generation';

type Declaring = Pick<Generation, 'graph'>;

const BUILT_IN: readonly string[] = [...FINDING_TYPES.map(({ id }) => id), ...RETIRED_FINDINGS];

/** @returns the names of all types (built-in, retired, declared), ascending */
export const allTypes = ({ graph }: Declaring): string[] => [...BUILT_IN, ...declaredTypeIds(graph)].sort();

/** @returns the canonical name of the type; unknown names, such as types of removed extensions, are returned unchanged */
export function findingTypeNamed(generation: Declaring, text: string): string {
  const names = allTypes(generation);
  if (names.includes(text)) return text;
  return names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text;
}

/** Replaces type names in filters with canonical names; parts of names match case-insensitively anyway. */
export const withNamedTypes = (generation: Declaring, filters: readonly Filter[]): readonly Filter[] =>
  filters.map((filter) =>
    filter.column === 'finding' && filter.predicate !== '~eq' && typeof filter.value === 'string'
      ? { ...filter, value: findingTypeNamed(generation, filter.value) }
      : filter,
  );
