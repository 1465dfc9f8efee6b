/** Combines the flags of one edge from several sources. */
import { UNANIMOUS_FLAGS } from '@clew/model';

/** @param any bits that some source gives @param all bits that all sources give */
export function unitedFlags(any: number, all: number): number {
  return (any & ~UNANIMOUS_FLAGS) | (all & UNANIMOUS_FLAGS);
}
