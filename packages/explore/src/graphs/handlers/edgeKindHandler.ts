/** All kinds of edges, with their sources. */

import type { Handlers } from '@clew/common';
import { builtInExtension } from '@clew/intake';
import { EDGE_KINDS, edgeText } from '@clew/model';
import type { QueryServices } from '../queryServices.ts';

export function edgeKindHandlers(services: QueryServices): Handlers<'ListEdgeKinds'> {
  return {
    async ListEdgeKinds({ query }) {
      const builtIn = EDGE_KINDS.map(({ id, name, platform, traversable }) => ({
        id,
        name,
        description: edgeText(name).meaning,
        is_traversable: traversable,
        schema_name: builtInExtension(platform).name,
        is_builtin: true,
      }));
      const { relationshipKinds } = await services.extensions.read();
      const declared = [...relationshipKinds.values()].map(({ kind, number, extension }) => ({
        id: number,
        name: kind.name,
        description: kind.description,
        is_traversable: kind.is_traversable,
        schema_name: extension.name,
        is_builtin: false,
      }));
      const generic = [...services.generations.current().customEdgeKinds]
        .filter(([, name]) => !relationshipKinds.has(name))
        .map(([id, name]) => ({
          id,
          name,
          description: '',
          // Without a definition, they do not pass on control.
          is_traversable: false,
          schema_name: '',
          is_builtin: false,
        }));
      const schemas = query.schemas === undefined ? undefined : new Set([query.schemas].flat());
      const data = [...builtIn, ...declared, ...generic].filter(
        (kind) =>
          (schemas === undefined || schemas.has(kind.schema_name)) &&
          (query.is_traversable === undefined || kind.is_traversable === query.is_traversable),
      );
      return { status: 200, json: { data } };
    },
  };
}
