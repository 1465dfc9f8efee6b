/** All kinds of nodes and relationships, with the contents of their definitions. */
import Type, { type Static } from 'typebox';

const Origin = {
  is_builtin: Type.Boolean(),
  schema_name: Type.String({ description: 'Name of the extension; empty for kinds of uploads' }),
};

export const DescribedNodeKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  label: Type.String({ description: 'The word that people read, such as "Certificate template"' }),
  meaning: Type.String({ description: 'One sentence; empty if no definition has one' }),
  icon: Type.String({ description: 'Name of a free Font Awesome icon in the solid style' }),
  color: Type.String({ description: '`#RGB` or `#RRGGBB`' }),
  ...Origin,
});
export type DescribedNodeKind = Static<typeof DescribedNodeKind>;

export const DescribedRelationshipKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  category: Type.String({ description: 'Group of kinds: "Control of objects"' }),
  phrase: Type.String({
    description: 'Words that follow the name of the source: "can reset the password of"',
  }),
  meaning: Type.String({ description: 'One sentence; empty if no definition has one' }),
  removal: Type.String({ description: 'How a defender removes it' }),
  origin: Type.Union([Type.Literal('collected'), Type.Literal('derived'), Type.Literal('both')], {
    description: '`derived` for kinds that only the analysis creates',
  }),
  is_traversable: Type.Boolean({ description: 'Whether attack paths can use it' }),
  effort: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Attack effort of one step without regard to its ends; null if attack paths cannot use it',
  }),
  effort_reason: Type.Union([Type.String(), Type.Null()]),
  ...Origin,
});
export type DescribedRelationshipKind = Static<typeof DescribedRelationshipKind>;

export const DescribedKinds = Type.Object({
  node_kinds: Type.Array(DescribedNodeKind),
  relationship_kinds: Type.Array(DescribedRelationshipKind),
});
