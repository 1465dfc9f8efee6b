/** Whether a file describes what its run collected. Rule: `docs/reference/collections.md#what-a-run-collected`. */
import type { CollectionHeader } from './header.ts';
import { KNOWN_METHODS } from './sharphound/methods.ts';

/** Objects of other formats contain it themselves. */
export function namesMethods({ format, methods }: Partial<CollectionHeader>): boolean {
  return format !== 'sharphound' || ((methods ?? 0n) & KNOWN_METHODS) !== 0n;
}
