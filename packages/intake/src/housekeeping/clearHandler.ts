/**
 * `POST /clear-database`: validates the request, deletes histories immediately, and leaves graph deletion to the
 * data pipe. Rule: `docs/reference/api.md#deleting-data`.
 */
import { type ClearDatabase, FINAL_JOB_STATUSES } from '@clew/api';
import { apiError, type Handlers, recordSuccess, requireUser } from '@clew/common';
import { type Db, factsChanged, wake } from '@clew/store';
import { sql } from 'kysely';
import { deleteUploadJobs } from '../ingest/uploadJobs.ts';
import { SOURCELESS } from '../openGraph/sourceKinds.ts';
import { type GraphDeletion, requestDeletion } from './deletionRequests.ts';

export function clearHandlers(db: Db): Handlers<'DeleteBloodHoundDatabase'> {
  return {
    DeleteBloodHoundDatabase: async ({ body }, context) => {
      const asked = body;
      const user = requireUser(context.principal);
      await db.transaction().execute(async (transaction) => {
        const deletion = await graphDeletion(transaction, asked);
        if (!selectsSomething(asked)) throw apiError('nothingToDelete');
        if (asked.deleteAssetGroupSelectors?.length) {
          await deleteSelectors(transaction, asked.deleteAssetGroupSelectors, user);
        }
        if (asked.deleteFileIngestHistory === true) await deleteIngestHistory(transaction);
        if (asked.deleteDataQualityHistory === true) await transaction.deleteFrom('data_quality').execute();
        if (deletion !== undefined) {
          await requestDeletion(transaction, user.userId, deletion);
          await wake(transaction, 'ingest');
        }
        await recordSuccess(transaction, context, 'DeleteBloodhoundData', auditFields(asked));
      });
      return { status: 204 };
    },
  };
}

function selectsSomething(asked: ClearDatabase): boolean {
  return Object.values(asked).some((value) => value === true || (Array.isArray(value) && value.length > 0));
}

function auditFields(asked: ClearDatabase): Record<string, string | boolean> {
  const entries = Object.entries(asked).map(
    ([key, value]) => [key, typeof value === 'boolean' ? value : (value ?? []).join(', ')] as const,
  );
  return Object.fromEntries(entries);
}

/** @returns `undefined` if the graph is not affected. @throws ApiError 400 for unknown or incompatible options */
async function graphDeletion(db: Db, asked: ClearDatabase): Promise<GraphDeletion | undefined> {
  const { deleteCollectedGraphData: allGraph = false } = asked;
  const ids = asked.deleteSourceKinds ?? [];
  const relationships = [...new Set(asked.deleteRelationships ?? [])];
  if (allGraph && (ids.length > 0 || relationships.length > 0)) throw apiError('deletionsCombined');
  if (!allGraph && ids.length === 0 && relationships.length === 0) return undefined;
  return {
    allGraph,
    sourcelessGraph: ids.includes(SOURCELESS.id),
    sourceKinds: await namesOfSourceKinds(db, ids),
    relationships: await knownRelationships(db, relationships),
  };
}

async function namesOfSourceKinds(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db.selectFrom('source_kind').selectAll().orderBy('id').execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const unknown = ids.find((id) => id !== SOURCELESS.id && !names.has(id));
  if (unknown !== undefined) throw apiError('unknownSourceKind', { id: unknown });
  return rows.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}

async function knownRelationships(db: Db, names: string[]): Promise<string[]> {
  if (names.length === 0) return names;
  const rows = await db.selectFrom('edge_kind').select('name').where('name', 'in', names).execute();
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw apiError('unknownRelationshipKind', { kind: unknown.slice(0, 128) });
  return names;
}

/** Jobs that have not ended are kept: acknowledged data will be ingested. */
async function deleteIngestHistory(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from upload_job where status = any (${[...FINAL_JOB_STATUSES]}::smallint[]) for update`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  await deleteUploadJobs(db, ids);
}

/**
 * Default selectors are kept, because they belong to the service. An id without a group matches nothing: published
 * tools send `[0]`.
 */
async function deleteSelectors(
  db: Db,
  groupIds: readonly number[],
  { name, email }: { readonly name: string; readonly email: string | null },
): Promise<void> {
  const selectors = await db
    .deleteFrom('asset_group_tag_selector')
    .where('asset_group_tag_id', 'in', groupIds)
    .where('is_default', '=', false)
    .where('extension_id', 'is', null)
    .returning(['name', 'asset_group_tag_id'])
    .execute();
  if (selectors.length > 0) {
    await db
      .insertInto('asset_group_history')
      .values(
        selectors.map((selector) => ({
          actor: name,
          email,
          action: 'DeleteSelector',
          target: selector.name,
          asset_group_tag_id: selector.asset_group_tag_id,
          environment_id: null,
          note: null,
        })),
      )
      .execute();
  }
  await factsChanged(db);
}
