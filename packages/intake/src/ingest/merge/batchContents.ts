/** Which kinds of rows a batch contains, so that statements without any effect on it are skipped. */
import type { MergeSession } from './statement.ts';

export interface BatchContents {
  /** Whether an object is described more than once. */
  readonly again: boolean;
  /** Whether aspects of described objects were found empty. */
  readonly emptied: boolean;
  /** Whether aspects of other objects were found empty. */
  readonly emptied_elsewhere: boolean;
  readonly sets: boolean;
  /** Whether a set may have several parts. */
  readonly parts: boolean;
  /** Whether a set is not dated by its owner's description. */
  readonly dated: boolean;
}

const CONTENTS = `
select exists (select from stage_node_again) as again,
       exists (select from stage_node where emptied <> 0)
         or exists (select from stage_node_again where emptied <> 0) as emptied,
       exists (select from stage_emptied) as emptied_elsewhere,
       exists (select from stage_set) or exists (select from stage_set_again) as sets,
       exists (select from stage_set_again) or exists (select from stage_set where not replaces)
         or exists (select from stage_added) as parts,
       exists (select from stage_set where not own) or exists (select from stage_set_again) as dated`;

export async function whatBatchHas(session: MergeSession): Promise<BatchContents> {
  const [contents] = await session.query<BatchContents & Record<string, unknown>>(CONTENTS);
  return contents as BatchContents;
}
