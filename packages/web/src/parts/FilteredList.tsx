/** A list without rows because of filters in the address, with the number of rows without each of them. */
import type { CallInput } from '@clew/client';
import { type Address, withoutIn } from '../address.ts';
import { FilteredOut } from './FilteredOut.tsx';
import { type Counting, useCountsWithout } from './useCountsWithout.ts';

export interface AddressFilter {
  /** Name of its parameter in the address. */
  readonly name: string;
  readonly words: string;
  /** Its value without the filter; by default it goes. */
  readonly off?: boolean;
}

type Query<Id extends Counting> = NonNullable<CallInput<Id> extends { query?: infer Of } ? Of : never>;

interface FilteredListProps<Id extends Counting> {
  readonly operationId: Id;
  /** One row and several rows. */
  readonly noun: readonly [one: string, many: string];
  readonly address: Address;
  readonly filters: readonly AddressFilter[];
  readonly queryOf: (address: Address) => Query<Id>;
  /** Set with each change of the filters, such as the first page. */
  readonly reset?: Readonly<Record<string, undefined>>;
  /** Set when all filters are cleared. */
  readonly cleared?: Readonly<Record<string, boolean | undefined>>;
}

export function FilteredList<Id extends Counting>({
  operationId,
  noun,
  address,
  filters,
  queryOf,
  reset = {},
  cleared = {},
}: FilteredListProps<Id>) {
  const counts = useCountsWithout(
    operationId,
    filters.map(({ name, off }) => {
      const query = { ...queryOf(withoutIn(address, name, off)), limit: 1 };
      return { query } as CallInput<Id>;
    }),
  );
  return (
    <FilteredOut
      noun={noun}
      filters={filters.map(({ name, words, off }, at) => ({
        ...{ name, words, count: counts[at] },
        onDrop: () => address.set({ [name]: off, ...reset }),
      }))}
      onClear={() =>
        address.set({
          ...Object.fromEntries(filters.map(({ name, off }) => [name, off])),
          ...cleared,
          ...reset,
        })
      }
    />
  );
}
