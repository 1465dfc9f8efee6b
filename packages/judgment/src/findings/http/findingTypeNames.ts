/** Names of finding types as requests write them: in any case of letters, as object ids. */
import { declaredTypeIds, FINDING_TYPES, RETIRED_FINDINGS } from '@clew/analysis';
import type { Filter } from '@clew/common';
import type { Generation } from '@clew/generation';

type Declaring = Pick<Generation, 'graph'>;

const BUILT_IN: readonly string[] = [...FINDING_TYPES.map(({ id }) => id), ...RETIRED_FINDINGS];

/** @returns the names of all types, built in, retired and declared, ascending */
export const allTypes = ({ graph }: Declaring): string[] => [...BUILT_IN, ...declaredTypeIds(graph)].sort();

/** @returns the type of that name as findings have it; the text itself where none has it, as for types of removed extensions */
export function findingTypeNamed(generation: Declaring, text: string): string {
  const names = allTypes(generation);
  if (names.includes(text)) return text;
  return names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text;
}

/** The filters with names of types as findings have them; parts of names are found in any case anyway. */
export const withNamedTypes = (generation: Declaring, filters: readonly Filter[]): readonly Filter[] =>
  filters.map((filter) =>
    filter.column === 'finding' && filter.predicate !== '~eq' && typeof filter.value === 'string'
      ? { ...filter, value: findingTypeNamed(generation, filter.value) }
      : filter,
  );
