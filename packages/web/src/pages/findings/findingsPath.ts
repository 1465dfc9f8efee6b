import { pathTo } from '../../address.ts';

/** Returns the address of a list of findings. */
export const findingsPath = (filters: Readonly<Record<string, string | undefined>>): string =>
  pathTo('findings', filters);
