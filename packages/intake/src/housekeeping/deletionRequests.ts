/**
 * Deletions that wait for the data pipe. They are executed in order of arrival, before the next upload job is
 * ingested: uploads that were already waiting before the deletion are ingested after it.
 */
import type { Db } from '@clew/store';

/** The part of the graph to delete, or everything. */
export interface GraphDeletion {
  readonly allGraph: boolean;
  readonly sourcelessGraph: boolean;
  /** Names of source kinds. */
  readonly sourceKinds: readonly string[];
  /** Names of edge kinds. */
  readonly relationships: readonly string[];
}

export interface WaitingDeletion extends GraphDeletion {
  readonly requestedBy: string;
  readonly requestedAt: string;
}

export async function requestDeletion(db: Db, userId: string, deletion: GraphDeletion): Promise<void> {
  await db
    .insertInto('deletion_request')
    .values({
      requested_by: userId,
      all_graph: deletion.allGraph,
      sourceless_graph: deletion.sourcelessGraph,
      source_kinds: [...deletion.sourceKinds],
      relationships: [...deletion.relationships],
    })
    .execute();
}

/** @returns all waiting deletions combined, by the first requester; `undefined` if none is waiting */
export async function waitingDeletion(db: Db): Promise<WaitingDeletion | undefined> {
  const rows = await db.selectFrom('deletion_request').selectAll().orderBy('id').execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    requestedBy: first.requested_by,
    requestedAt: first.requested_at,
    allGraph: rows.some((row) => row.all_graph),
    sourcelessGraph: rows.some((row) => row.sourceless_graph),
    sourceKinds: [...new Set(rows.flatMap((row) => row.source_kinds))],
    relationships: [...new Set(rows.flatMap((row) => row.relationships))],
  };
}
