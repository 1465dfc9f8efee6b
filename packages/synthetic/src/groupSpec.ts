/** A group of a domain that is being generated. */
import type { Place } from './places.ts';
import type { Principal } from './records.ts';

export interface GroupSpec {
  readonly id: string;
  readonly name: string;
  /** Absent for built-in groups, which are in a container that no collector describes. */
  readonly place?: Place;
  readonly isProtected?: boolean;
  readonly description?: string;
  readonly members: readonly Principal[];
}
