import { pathTo } from '../../address.ts';

/** Addresses of lists of findings. */
export const findingsPath = (filters: Readonly<Record<string, string | undefined>>): string =>
  pathTo('findings', filters);
