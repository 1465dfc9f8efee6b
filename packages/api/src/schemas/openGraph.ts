/** Own kinds of nodes, the kinds by which sources are known, schema extensions and kinds of edges. */
import Type, { type Static } from 'typebox';

/** What is not given is a question mark on white. */
export const CustomNodeConfig = Type.Object({
  icon: Type.Optional(
    Type.Object({
      type: Type.Optional(Type.Literal('font-awesome')),
      name: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
          maxLength: 64,
          description: 'Name of a free, solid-style Font Awesome icon',
        }),
      ),
      color: Type.Optional(
        Type.String({
          pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
          description: '`#RGB` or `#RRGGBB`',
        }),
      ),
    }),
  ),
});
export type CustomNodeConfig = Static<typeof CustomNodeConfig>;

export const CustomNode = Type.Object({
  id: Type.Integer(),
  kindName: Type.String(),
  config: Type.Object({
    icon: Type.Object({ type: Type.String(), name: Type.String(), color: Type.String() }),
  }),
});
export type CustomNode = Static<typeof CustomNode>;

export const SourceKind = Type.Object({
  id: Type.Integer({ description: '0 stands for nodes without a source kind' }),
  name: Type.String(),
});
export type SourceKind = Static<typeof SourceKind>;

export const ExtensionRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.String(),
  is_builtin: Type.Boolean(),
  namespace: Type.String(),
});

export const ListedEdgeKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  is_traversable: Type.Boolean(),
  schema_name: Type.String({ description: 'Empty for kinds of uploads' }),
  is_builtin: Type.Boolean(),
});
