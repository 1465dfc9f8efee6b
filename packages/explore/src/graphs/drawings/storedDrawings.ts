/** Saved drawings in the database. */
import type { NewDrawing } from '@clew/api';
import { apiError, isViewed, type UserPrincipal } from '@clew/common';
import { type Db, inTransaction, type SavedDrawingTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';

/** Maximum number of drawings per user. */
export const MAX_DRAWINGS = 200;
/** Maximum number of shared drawings in a list, newest first. */
const MAX_LISTED = 1000;

export type DrawingSummary = Omit<
  Selectable<SavedDrawingTable>,
  'objects' | 'relationships' | 'address' | 'user_id'
> & {
  readonly user_id: string;
  readonly owner: string;
  readonly object_count: number;
  readonly relationship_count: number;
};

export type StoredDrawing = Pick<Selectable<SavedDrawingTable>, 'objects' | 'relationships' | 'address'>;
export type DrawingContent = Pick<NewDrawing, 'address' | 'objects' | 'relationships'>;

const summaries = (db: Db) =>
  db
    .selectFrom('saved_drawing as drawing')
    .innerJoin('user_account as owner', 'owner.id', 'drawing.user_id')
    .select([
      'drawing.id',
      'drawing.user_id',
      'drawing.name',
      'drawing.description',
      'drawing.is_shared',
      'drawing.created_at',
      'drawing.updated_at',
      'owner.principal_name as owner',
      sql<number>`jsonb_array_length(drawing.objects)`.as('object_count'),
      sql<number>`jsonb_array_length(drawing.relationships)`.as('relationship_count'),
    ]);

/** The drawings that a user sees: their own and shared ones. An administrator who sees the service as the user sees shared ones only. */
export function listDrawings(db: Db, user: UserPrincipal): Promise<DrawingSummary[]> {
  const { userId } = user;
  return summaries(db)
    .where((eb) =>
      eb.or([
        eb('drawing.is_shared', '=', true),
        ...(isViewed(user) ? [] : [eb('drawing.user_id', '=', userId)]),
      ]),
    )
    .orderBy((eb) => eb('drawing.user_id', '=', userId), 'desc')
    .orderBy('drawing.updated_at', 'desc')
    .orderBy('drawing.id')
    .limit(MAX_LISTED)
    .execute();
}

/** @throws ApiError 404, also for an unshared drawing of another user */
export async function visibleDrawing(db: Db, id: number, user: UserPrincipal): Promise<DrawingSummary> {
  const found = await summaries(db).where('drawing.id', '=', id).executeTakeFirst();
  const isOwn = found?.user_id === user.userId && !isViewed(user);
  if (found === undefined || !(found.is_shared || isOwn)) throw apiError('drawingNotFound');
  return found;
}

/** @throws ApiError 404 if it was deleted in the meantime */
export async function drawingContent(db: Db, id: number): Promise<StoredDrawing> {
  const found = await db
    .selectFrom('saved_drawing')
    .select(['address', 'objects', 'relationships'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) throw apiError('drawingNotFound');
  return found;
}

/** @returns its id @throws ApiError 409 for an existing name of the user, and for too many */
export function insertDrawing(
  db: Db,
  { userId }: UserPrincipal,
  { name, description = '', shared = false, ...content }: NewDrawing,
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    // Serializes inserts, so that two simultaneous ones are both counted.
    await transaction.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute();
    const { count } = await transaction
      .selectFrom('saved_drawing')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_DRAWINGS) throw apiError('tooManyDrawings', { count: String(MAX_DRAWINGS) });
    const { id } = await unlessTaken(() =>
      transaction
        .insertInto('saved_drawing')
        .values({ user_id: userId, name, description, is_shared: shared, ...columnsOf(content) })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return id;
  });
}

export interface DrawingChanges {
  readonly name?: string;
  readonly description?: string;
  readonly shared?: boolean;
  readonly content?: DrawingContent;
}

/** @throws ApiError 409 for the name of another drawing of its owner */
export async function updateDrawing(
  db: Db,
  id: number,
  { name, description, shared, content }: DrawingChanges,
): Promise<void> {
  await unlessTaken(() =>
    db
      .updateTable('saved_drawing')
      .set({
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(shared !== undefined && { is_shared: shared }),
        ...(content !== undefined && columnsOf(content)),
        updated_at: sql<string>`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute(),
  );
}

export async function deleteDrawing(db: Db, id: number): Promise<void> {
  await db.deleteFrom('saved_drawing').where('id', '=', id).execute();
}

/** Drops unknown members. */
const columnsOf = ({ address, objects, relationships }: DrawingContent) => ({
  address,
  objects: JSON.stringify(
    objects.map(({ object_id, name, kind, x, y, pinned }) => ({ object_id, name, kind, x, y, pinned })),
  ),
  relationships: JSON.stringify(relationships.map(({ source, kind, target }) => ({ source, kind, target }))),
});

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'saved_drawing_user_id_name_key')
      throw apiError('duplicateDrawing');
    throw error;
  }
}
