/** Saved queries (`docs/cypher.md#saved-queries`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { NullTime, NullUuid, nullable, Time } from './common.ts';

const Id = Type.Integer({ minimum: 1 });

export const SavedQuery = Type.Object({
  id: Id,
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  user_id: Type.String({ description: 'All zeros for a query of an extension' }),
  extension_id: nullable(Type.Integer(), 'Id of the extension that contains it; null for a query of a user'),
  name: Type.String(),
  query: Type.String(),
  description: Type.String(),
});
export type SavedQuery = Static<typeof SavedQuery>;

export const ListedQuery = Type.Object({
  ...SavedQuery.properties,
  scope: Type.Enum(['owned', 'shared', 'public'], { description: 'Why the user sees the query' }),
});
export type ListedQuery = Static<typeof ListedQuery>;

/** Missing members are empty. */
export const SavedQueryRequest = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 500 })),
  query: Type.Optional(Type.String({ maxLength: 60_000 })),
  description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
});

export const SharedWith = Type.Object({
  user_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  public: Type.Optional(Type.Boolean()),
});

export const UnsharedFrom = Type.Object({ user_ids: Type.Array(Type.String(), { maxItems: 1000 }) });

export const SavedQueryPermission = Type.Object({
  id: Id,
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  query_id: Id,
  shared_to_user_id: NullUuid,
  public: Type.Boolean(),
});
export type SavedQueryPermission = Static<typeof SavedQueryPermission>;

export const SavedQueryPermissions = Type.Object({
  query_id: Id,
  public: Type.Boolean(),
  shared_to_user_ids: Type.Array(Type.String()),
});

const Cells = Type.Array(Type.Unknown(), {
  description:
    'Values, in the order of the columns. Objects are `{type: "node", kind, name, objectid}`, relationships `{type: "relationship", kind, source, target}` with the object ids of their ends, paths `{type: "path", nodes, relationships}`.',
});

/** A saved query that runs for each generation (`docs/cypher.md#watches`). */
export const QueryWatch = Type.Object({
  query_id: Id,
  name: Type.String({ description: 'Name of the saved query' }),
  created_at: Time,
  ran_at: nullable(Time, 'When it last ran; null before the first generation'),
  milliseconds: nullable(Type.Integer({ minimum: 0 })),
  error: nullable(
    Type.String({ description: 'Why the last run failed: rows and changes are those of the run before' }),
  ),
  warnings: Type.Array(Type.String()),
  found_at: nullable(
    Time,
    'When the last successful run found the rows. Null until the present query has run for the environments that its owner can see.',
  ),
  columns: Type.Array(Type.String()),
  row_count: Type.Integer({ minimum: 0 }),
  last_change: nullable(
    Type.Object({
      at: Time,
      new_count: Type.Integer({ minimum: 0 }),
      gone_count: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type QueryWatch = Static<typeof QueryWatch>;

export const WATCH_COLUMNS = {
  ...{ query_id: column('integer'), name: column('string'), created_at: column('time') },
  ...{ ran_at: column('time'), found_at: column('time'), milliseconds: column('integer') },
  ...{ error: column('string'), row_count: column('integer') },
} as const;

/** New and removed rows. */
export const WATCH_CHANGE_TYPES = ['new', 'gone'] as const;

/** A row that a generation added to the result of a watched query, or removed from it. */
export const WatchChange = Type.Object({
  id: Id,
  at: Time,
  type: Type.Enum([...WATCH_CHANGE_TYPES]),
  row: Cells,
});
export type WatchChange = Static<typeof WatchChange>;

export const WATCH_CHANGE_COLUMNS = {
  ...{ id: column('integer'), at: column('time'), type: column('string', { words: WATCH_CHANGE_TYPES }) },
} as const;

/** The changes of a generation in a watched query, as in the feed of changes. */
export const WatchEvent = Type.Object({
  query_id: Id,
  name: Type.String({ description: 'Name of the saved query' }),
  at: Time,
  new_count: Type.Integer({ minimum: 0 }),
  gone_count: Type.Integer({ minimum: 0 }),
});

/** A query that is part of the service. */
export const BuiltInQuery = Type.Object({
  key: Type.String({ description: 'Stable name' }),
  category: Type.String(),
  question: Type.String(),
  description: Type.String({ description: 'What the rows mean and why they matter' }),
  advice: Type.String({ description: 'What to do with the result' }),
  query: Type.String(),
});

export const SAVED_QUERY_COLUMNS = {
  id: column('integer', { filterable: false }),
  user_id: column('uuid'),
  name: column('string'),
  query: column('string'),
  description: column('string'),
  created_at: column('time', { filterable: false }),
  updated_at: column('time', { filterable: false }),
  deleted_at: column('time', { filterable: false }),
} as const;
