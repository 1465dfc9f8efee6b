/** Schema extensions, and the kinds of edges with what they come from. */
import { EDGE_KINDS } from '@clew/model';
import type { Handlers } from '../../operation/handler.ts';
import { BUILT_IN_EXTENSIONS, extensionOf } from '../extensions.ts';
import type { QueryServices } from '../queryServices.ts';

export function extensionHandlers(services: QueryServices): Handlers<'ListExtensions' | 'ListEdgeKinds'> {
  return {
    async ListExtensions() {
      const extensions = BUILT_IN_EXTENSIONS.map(({ extension_id, display_name, namespace, version }) => ({
        id: extension_id,
        name: display_name,
        version,
        is_builtin: true,
        namespace,
      }));
      return { status: 200, json: { data: { extensions } } };
    },
    async ListEdgeKinds({ query }) {
      const builtIn = EDGE_KINDS.map(({ id, name, platform, traversable }) => ({
        id,
        name,
        description: '',
        is_traversable: traversable,
        schema_name: extensionOf(platform)?.name ?? '',
        is_builtin: true,
      }));
      const custom = [...services.generations.current().customEdgeKinds].map(([id, name]) => ({
        id,
        name,
        description: '',
        // Nothing says that control flows along them.
        is_traversable: false,
        schema_name: '',
        is_builtin: false,
      }));
      const schemas = query.schemas === undefined ? undefined : new Set([query.schemas].flat());
      const data = [...builtIn, ...custom].filter(
        (kind) =>
          (schemas === undefined || schemas.has(kind.schema_name)) &&
          (query.is_traversable === undefined || kind.is_traversable === query.is_traversable),
      );
      return { status: 200, json: { data } };
    },
  };
}
