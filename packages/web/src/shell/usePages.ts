/** The pages that the user's role may use. */
import { useMemo } from 'react';
import { PAGES, type PageEntry } from '../pageRows.ts';
import { type Self, useSelf } from '../service/self.ts';

export const mayUse = (self: Self, { needs }: Pick<PageEntry, 'needs'>): boolean => needs.some(self.may);

/** @returns all pages until the role is known */
export function usePages(): readonly PageEntry[] {
  const self = useSelf();
  return useMemo(() => (self === undefined ? PAGES : PAGES.filter((page) => mayUse(self, page))), [self]);
}
