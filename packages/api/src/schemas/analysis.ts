/** Features of analysis, and the request for a run. */
import Type, { type Static } from 'typebox';
import { NullTime, Time } from './common.ts';

export const FeatureFlag = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  user_updatable: Type.Boolean(),
});
export type FeatureFlag = Static<typeof FeatureFlag>;

export const AnalysisRequest = Type.Object({
  requested_by: Type.String({ description: 'Id of the user; empty if nothing is waiting' }),
  request_type: Type.String({ description: '`analysis`, `deletion`, or empty' }),
  requested_at: Time,
  delete_all_graph: Type.Boolean(),
  delete_sourceless_graph: Type.Boolean(),
  delete_source_kinds: Type.Array(Type.String()),
  delete_relationships: Type.Array(Type.String()),
});
export type AnalysisRequest = Static<typeof AnalysisRequest>;
