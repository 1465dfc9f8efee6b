/** How flags of one edge from several sources are united. */
import { EdgeFlag } from '@clew/model';

/** An edge that some entry gives outright is not inherited; one that was collected is not derived. Other bits are united. */
export const UNANIMOUS_FLAGS = EdgeFlag.Derived | EdgeFlag.Inherited;
