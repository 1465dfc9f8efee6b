import { pathTo } from '../../address.ts';

/** Where all findings of something are listed. */
export const findingsPath = (filters: Readonly<Record<string, string | undefined>>): string =>
  pathTo('findings', filters);
