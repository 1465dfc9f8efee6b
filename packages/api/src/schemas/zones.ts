/** Zones and labels: tags, the rules that select their members, members, history, certification. */
import Type, { type Static } from 'typebox';
import { nullable, Time } from './common.ts';

export const AssetGroupTag = Type.Object({
  id: Type.Integer({ description: '1 is Tier Zero' }),
  type: Type.Integer({ description: '1 zone, 2 label, 3 owned' }),
  kind_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  updated_by: Type.String(),
  position: nullable(Type.Integer({ description: 'Zones: 1 is the most privileged' })),
  require_certify: nullable(Type.Boolean()),
  analysis_enabled: nullable(Type.Boolean()),
  glyph: nullable(Type.String()),
});
export type AssetGroupTag = Static<typeof AssetGroupTag>;
