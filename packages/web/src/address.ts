/** The address contains the state of a page, so that links, reload and Back work. */
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { EXACT } from './scope.ts';

export interface Address {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  number(name: string, otherwise: number): number;
  /** `undefined` and empty lists remove a parameter. A change of the question adds a history entry; a change of the view does not. */
  set(changes: Readonly<Record<string, Parameter>>, options?: { readonly replace?: boolean }): void;
}

export type Parameter = string | number | boolean | readonly string[] | undefined;

export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback<Address['set']>(
    (changes, options) =>
      setParameters((previous) => withChanges(new URLSearchParams(previous), changes), {
        ...options,
        ...EXACT,
      }),
    [setParameters],
  );
  return {
    get: (name) => parameters.get(name) ?? undefined,
    all: (name) => parameters.getAll(name),
    number(name, otherwise) {
      const value = Number(parameters.get(name) ?? Number.NaN);
      return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
    },
    set,
  };
}

function withChanges(
  parameters: URLSearchParams,
  changes: Readonly<Record<string, Parameter>>,
): URLSearchParams {
  for (const [name, value] of Object.entries(changes)) {
    parameters.delete(name);
    if (value === undefined || value === '' || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters;
}

/** The address without a parameter, to count what a filter excludes. @param value if the filter is off by a value */
export const withoutIn = (address: Address, parameter: string, value?: boolean): Address => {
  const is = (name: string) => name === parameter;
  const off = value === undefined ? undefined : String(value);
  return {
    ...address,
    get: (name) => (is(name) ? off : address.get(name)),
    all: (name) => (is(name) ? [] : address.all(name)),
    number: (name, otherwise) => (is(name) ? otherwise : address.number(name, otherwise)),
  };
};

const MAX_NUMBER = 2_147_483_647;

/** @returns the number of a record in an address; 0, which no record has, for other texts */
export function numberIn(text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value <= MAX_NUMBER ? value : 0;
}

/** @returns the address of an object in Explore, with its panel open */
export const objectPath = (objectId: string): string =>
  pathTo('explore', { object: objectId, selected: objectId });

/** @returns the address of a page below `/ui`, for links */
export function pathTo(page: string, parameters: Readonly<Record<string, Parameter>> = {}): string {
  const query = withChanges(new URLSearchParams(), parameters).toString();
  return query === '' ? `/${page}` : `/${page}?${query}`;
}
