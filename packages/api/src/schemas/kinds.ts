/** All kinds of nodes and relationships, with the contents of their definitions. */
import Type, { type Static } from 'typebox';

const Origin = {
  is_builtin: Type.Boolean(),
  schema_name: Type.String({ description: 'Name of the extension; empty for kinds of uploads' }),
};

export const DescribedNodeKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  label: Type.String({ description: 'The word for people: "Certificate template"' }),
  meaning: Type.String({ description: 'One sentence; empty where no definition has one' }),
  icon: Type.String({ description: 'Name of a free solid Font Awesome icon' }),
  color: Type.String({ description: '`#RGB` or `#RRGGBB`' }),
  ...Origin,
});
export type DescribedNodeKind = Static<typeof DescribedNodeKind>;

export const DescribedRelationshipKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  category: Type.String({ description: 'Group of kinds: "Control of objects"' }),
  phrase: Type.String({ description: 'Follows the name of the source: "can reset the password of"' }),
  meaning: Type.String({ description: 'One sentence; empty where no definition has one' }),
  removal: Type.String({ description: 'How a defender removes it' }),
  origin: Type.Union([Type.Literal('collected'), Type.Literal('derived'), Type.Literal('both')], {
    description: '`derived`: only the analysis makes it',
  }),
  is_traversable: Type.Boolean({ description: 'Attack paths run over it' }),
  effort: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Attack effort of one step, before what is known of its ends; null where attack paths do not run over it',
  }),
  effort_reason: Type.Union([Type.String(), Type.Null()]),
  ...Origin,
});
export type DescribedRelationshipKind = Static<typeof DescribedRelationshipKind>;

export const DescribedKinds = Type.Object({
  node_kinds: Type.Array(DescribedNodeKind),
  relationship_kinds: Type.Array(DescribedRelationshipKind),
});
