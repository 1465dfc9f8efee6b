/** Saved views of lists (`docs/web.md#saved-views`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { nullable, Time } from './common.ts';

export const MAX_VIEW_NAME = 60;

/** Pages with saved filters; `audit`, `certification` and `zones` are parts of Administration. */
export const VIEW_PAGES = [
  ...(['findings', 'fix', 'changes', 'posture', 'audit', 'certification', 'zones'] as const),
] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_VIEW_NAME,
    pattern: '\\S',
    'x-form': 'a name that is not blank',
  }),
  query: Type.String({
    maxLength: 4000,
    description: 'Filters, order and groups: parameters of the address of the page',
  }),
  columns: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
      maxItems: 40,
      description: 'Titles of the columns that are shown; null for those that the page shows by itself',
    }),
  ),
  shared: Type.Boolean({ description: 'Whether other users who may read the graph can see it' }),
};

export const NewView = Type.Object({
  name: fields.name,
  page: Type.Enum([...VIEW_PAGES], { description: 'The page whose filters are saved' }),
  query: fields.query,
  columns: Type.Optional(fields.columns),
  shared: Type.Optional(fields.shared),
});
export type NewView = Static<typeof NewView>;

/** Missing members stay unchanged. */
export const ViewChange = Type.Object({
  name: Type.Optional(fields.name),
  query: Type.Optional(fields.query),
  columns: Type.Optional(fields.columns),
  shared: Type.Optional(fields.shared),
});
export type ViewChange = Static<typeof ViewChange>;

export const ViewRecord = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  page: Type.String(),
  query: Type.String(),
  columns: nullable(Type.Array(Type.String())),
  shared: Type.Boolean(),
  owner: Type.String({ description: 'Name of the user who saved it' }),
  is_own: Type.Boolean({ description: 'The user who asks may change it' }),
  created_at: Time,
  updated_at: Time,
});
export type ViewRecord = Static<typeof ViewRecord>;

export const VIEW_COLUMNS = {
  ...{ id: column('integer'), name: column('string'), page: column('string', { words: VIEW_PAGES }) },
  ...{ query: column('string'), shared: column('boolean'), owner: column('string') },
  ...{ is_own: column('boolean'), created_at: column('time'), updated_at: column('time') },
} as const;
