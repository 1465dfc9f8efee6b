/** Saved drawings of Explore (`docs/web.md#saved-drawings`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, Time } from './common.ts';
import { UnifiedGraph } from './graph.ts';

/** Maximum numbers in a drawing, which are those of the page. */
export const MAX_DRAWN_OBJECTS = 1500;
export const MAX_DRAWN_RELATIONSHIPS = 6000;

const Id = Type.Integer({ minimum: 1 });
const ObjectId = Type.String({ minLength: 1, maxLength: 1024 });
const Kind = Type.String({ minLength: 1, maxLength: 256 });
/** Pixels of the drawing at its original size. */
const Coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 });

export const DrawnObject = Type.Object({
  object_id: ObjectId,
  name: Type.String({ maxLength: 1024, description: 'Shown if the object no longer exists' }),
  kind: Kind,
  x: Coordinate,
  y: Coordinate,
  pinned: Type.Boolean({ description: 'Whether a user placed it by hand' }),
});

const place = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_DRAWN_OBJECTS - 1, description });

export const DrawnRelationship = Type.Object({
  source: place('Position of its source in `objects`'),
  kind: Kind,
  target: place('Position of its target in `objects`'),
});

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', 'x-form': 'a name that is not blank' }),
  description: Type.String({ maxLength: 2000 }),
  shared: Type.Boolean({ description: 'Whether other users who may read the graph can see it' }),
};

const content = {
  address: Type.String({
    maxLength: 16_000,
    description: 'The question as parameters of the address of the page',
  }),
  objects: Type.Array(DrawnObject, { minItems: 1, maxItems: MAX_DRAWN_OBJECTS }),
  relationships: Type.Array(DrawnRelationship, { maxItems: MAX_DRAWN_RELATIONSHIPS }),
};

export const NewDrawing = Type.Object({
  name: fields.name,
  description: Type.Optional(fields.description),
  shared: Type.Optional(fields.shared),
  ...content,
});
export type NewDrawing = Static<typeof NewDrawing>;

/** Missing members stay unchanged. */
export const DrawingChange = Type.Object({
  name: Type.Optional(fields.name),
  description: Type.Optional(fields.description),
  shared: Type.Optional(fields.shared),
  content: Type.Optional(Type.Object(content)),
});

export const DrawingRecord = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  shared: Type.Boolean(),
  owner: Type.String({ description: 'Name of the user who saved it' }),
  is_own: Type.Boolean({ description: 'The user who asks may change it' }),
  object_count: Count,
  relationship_count: Count,
  created_at: Time,
  updated_at: Time,
});
export type DrawingRecord = Static<typeof DrawingRecord>;

export const DRAWING_COLUMNS = {
  ...{ id: column('integer'), name: column('string'), description: column('string') },
  ...{ shared: column('boolean'), owner: column('string'), is_own: column('boolean') },
  ...{ object_count: column('integer'), relationship_count: column('integer') },
  ...{ created_at: column('time'), updated_at: column('time') },
} as const;

/** A drawing, with its parts that exist in the present graph. */
export const OpenedDrawing = Type.Object({
  ...DrawingRecord.properties,
  address: Type.String({
    description: 'The question; empty if objects are left out, because it may name them',
  }),
  places: Type.Array(
    Type.Object({ object_id: Type.String(), x: Type.Number(), y: Type.Number(), pinned: Type.Boolean() }),
  ),
  graph: Type.Object(UnifiedGraph.properties, {
    description:
      'The objects of the drawing that exist and that the user may see, with their present relationships',
  }),
  missing: Type.Object(
    {
      objects: Type.Array(
        Type.Object({ object_id: Type.String(), name: Type.String(), kind: Type.String() }),
      ),
      relationships: Type.Array(
        Type.Object({ source: Type.String(), kind: Type.String(), target: Type.String() }),
      ),
    },
    {
      description:
        'Missing parts. Users of some environments get the relationships between objects that they see.',
    },
  ),
  hidden_objects: Type.Integer({
    minimum: 0,
    description:
      'Number of objects that are left out because they were deleted or because the user may not see their environments',
  }),
});
export type OpenedDrawing = Static<typeof OpenedDrawing>;
