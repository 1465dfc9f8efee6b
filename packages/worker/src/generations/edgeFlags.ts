/** Combines the flags of one edge from several sources. */
import { UNANIMOUS_FLAGS } from '@clew/model';

/** @param any bits set by at least one source @param all bits set by all sources */
export function unitedFlags(any: number, all: number): number {
  return (any & ~UNANIMOUS_FLAGS) | (all & UNANIMOUS_FLAGS);
}
