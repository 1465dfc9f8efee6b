/** How flags of one edge from several sources are united. */
import { EdgeFlag } from '@clew/model';

/** An edge that some entry gives outright is not inherited; one that was collected is not derived. Other bits are united. */
export const UNANIMOUS_FLAGS = EdgeFlag.Derived | EdgeFlag.Inherited;

/** @param any bits that some source gives @param all bits that all sources give */
export function unitedFlags(any: number, all: number): number {
  return (any & ~UNANIMOUS_FLAGS) | (all & UNANIMOUS_FLAGS);
}
