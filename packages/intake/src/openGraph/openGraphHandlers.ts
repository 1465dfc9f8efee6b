/** Handlers of custom node kinds and source kinds. */

import { ApiError, apiError, type Handlers, recordSuccess } from '@clew/common';
import type { Db } from '@clew/store';
import {
  createCustomNodes,
  listCustomNodes,
  type RefusedKind,
  readCustomNode,
  updateCustomNode,
} from './customNodes.ts';
import { listSourceKinds } from './sourceKinds.ts';

type Operations =
  | 'GetSourceKinds'
  | 'GetCustomNodes'
  | 'GetCustomNode'
  | 'CreateCustomNodes'
  | 'UpdateCustomNode'
  | 'DeleteCustomNode';

export function openGraphHandlers(db: Db): Handlers<Operations> {
  return {
    GetSourceKinds: async () => ({ status: 200, json: { data: { kinds: await listSourceKinds(db) } } }),
    GetCustomNodes: async () => ({ status: 200, json: { data: await listCustomNodes(db) } }),
    GetCustomNode: async ({ params }) => ({
      status: 200,
      json: { data: await readCustomNode(db, params.kind_name) },
    }),
    CreateCustomNodes: async ({ body }, context) => {
      const { custom_types } = body;
      const { nodes, refused } = await db.transaction().execute(async (transaction) => {
        const made = await createCustomNodes(transaction, custom_types);
        const fields = { kinds: made.nodes.map(({ kindName }) => kindName).join(', ') };
        if (made.nodes.length > 0) await recordSuccess(transaction, context, 'CreateCustomNodes', fields);
        return made;
      });
      // The valid ones are stored.
      if (refused.length > 0) throw refusal(refused);
      return { status: 201, json: { data: [...nodes] } };
    },
    UpdateCustomNode: async ({ params, body }, context) => {
      const { config } = body;
      const node = await db.transaction().execute(async (transaction) => {
        const changed = await updateCustomNode(transaction, params.kind_name, config);
        const fields = { kind: changed.kindName };
        await recordSuccess(transaction, context, 'UpdateCustomNode', fields);
        return changed;
      });
      return { status: 200, json: { data: node } };
    },
    DeleteCustomNode: async () => {
      throw apiError('noLongerSupported');
    },
  };
}

function refusal(refused: readonly RefusedKind[]): ApiError {
  const code = refused.every(({ isBuiltIn }) => isBuiltIn) ? 'ownedKindName' : 'duplicateKindName';
  const details = refused.map(({ kind, isBuiltIn }) =>
    isBuiltIn ? `${kind} is a built-in kind` : `${kind} is stored with another definition`,
  );
  return new ApiError(code, apiError(code).message, { details });
}
