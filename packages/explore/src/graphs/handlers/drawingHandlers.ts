/** Saved drawings over HTTP: only the owner can change one; others see shared ones. Rule: `docs/web.md#saved-drawings`. */
import { DRAWING_COLUMNS, type DrawingRecord } from '@clew/api';
import type { Handlers, RequestContext, UserPrincipal } from '@clew/common';
import { apiError, recordPage, recordSuccess, requireUser } from '@clew/common';
import { queryDataOf } from '@clew/queries';
import { findDrawing } from '../drawings/openedDrawing.ts';
import {
  type DrawingContent,
  type DrawingSummary,
  deleteDrawing,
  drawingContent,
  insertDrawing,
  listDrawings,
  updateDrawing,
  visibleDrawing,
} from '../drawings/storedDrawings.ts';
import type { QueryServices } from '../queryServices.ts';
import { unifiedGraph } from '../render/unifiedGraph.ts';
import { visibilityOf } from '../visibility.ts';

type Operations = 'ListDrawings' | 'CreateDrawing' | 'GetDrawing' | 'UpdateDrawing' | 'DeleteDrawing';

export function drawingHandlers(services: QueryServices): Handlers<Operations> {
  const { db } = services.database;
  const audit = (context: RequestContext, action: string, { id, name, shared }: DrawingRecord) =>
    recordSuccess(db, context, action, { drawing_id: id, name, shared });
  return {
    async ListDrawings(input, { principal }) {
      const user = requireUser(principal);
      const records = (await listDrawings(db, user)).map((row) => recordOf(row, user));
      return { status: 200, json: recordPage(records, DRAWING_COLUMNS, input) };
    },

    async CreateDrawing({ body }, context) {
      const user = requireUser(context.principal);
      requirePlaces(body);
      const id = await insertDrawing(db, user, body);
      const record = recordOf(await visibleDrawing(db, id, user), user);
      await audit(context, 'CreateDrawing', record);
      return { status: 201, json: { data: record } };
    },

    async GetDrawing({ params }, { principal }) {
      const user = requireUser(principal);
      const summary = await visibleDrawing(db, params.drawing_id, user);
      const content = await drawingContent(db, summary.id);
      const generation = services.generations.current();
      const data = queryDataOf(generation);
      const visibility = visibilityOf(data, user);
      const found = findDrawing(data, generation, visibility, content);
      const details = await services.properties.read(found.nodes.map((node) => data.graph.storeIds[node]));
      const { nodes, edges, places, missing, hiddenObjects } = found;
      return {
        status: 200,
        json: {
          data: {
            ...recordOf(summary, user),
            // The page address also contains objects.
            address: hiddenObjects > 0 ? '' : content.address,
            places,
            graph: unifiedGraph(data, generation, visibility, nodes, edges, details),
            missing,
            hidden_objects: hiddenObjects,
          },
        },
      };
    },

    async UpdateDrawing({ params, body }, context) {
      const user = requireUser(context.principal);
      const before = await visibleDrawing(db, params.drawing_id, user);
      if (before.user_id !== user.userId) throw apiError('drawingForeign');
      if (body.content !== undefined) requirePlaces(body.content);
      await updateDrawing(db, before.id, body);
      const record = recordOf(await visibleDrawing(db, before.id, user), user);
      await audit(context, 'UpdateDrawing', record);
      return { status: 200, json: { data: record } };
    },

    async DeleteDrawing({ params }, context) {
      const user = requireUser(context.principal);
      const row = await visibleDrawing(db, params.drawing_id, user);
      if (row.user_id !== user.userId && user.role !== 'Administrator') throw apiError('drawingForeign');
      await deleteDrawing(db, row.id);
      await audit(context, 'DeleteDrawing', recordOf(row, user));
      return { status: 204 };
    },
  };
}

/** @throws ApiError 400 for ends outside the list of objects, and for duplicate objects */
function requirePlaces({ objects, relationships }: DrawingContent): void {
  const at = relationships.findIndex(
    ({ source, target }) => source >= objects.length || target >= objects.length,
  );
  if (at >= 0)
    throw apiError('invalidBody', { reason: `relationship ${at} has an end that is not in the objects` });
  if (new Set(objects.map(({ object_id }) => object_id.toUpperCase())).size < objects.length)
    throw apiError('invalidBody', { reason: 'an object occurs twice' });
}

function recordOf(row: DrawingSummary, { userId }: UserPrincipal): DrawingRecord {
  const { id, name, description, is_shared, owner, object_count, relationship_count } = row;
  return {
    ...{ id, name, description, shared: is_shared, owner, is_own: row.user_id === userId },
    ...{ object_count, relationship_count, created_at: row.created_at, updated_at: row.updated_at },
  };
}
