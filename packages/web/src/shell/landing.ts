/** The first page that a user may use. */

import { PAGES } from '../pageRows.ts';
import type { Self } from '../service/self.ts';
import { mayUse } from './usePages.ts';

/** @returns the address of the page; the uploads for a user who may only upload */
export function landingPath(self: Self): string {
  const first = PAGES.find((page) => mayUse(self, page));
  if (first === undefined) return '/profile';
  return first.path === '/data' && !self.may('graphdb/Read') ? '/data?view=uploads' : first.path;
}
