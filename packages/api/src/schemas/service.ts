/** Information about the service: version, state of the data pipe, health. */
import Type, { type Static } from 'typebox';
import { Time } from './common.ts';

export const Version = Type.Object({
  API: Type.Object({ current_version: Type.String(), deprecated_version: Type.String() }),
  server_version: Type.String(),
  product_edition: Type.String(),
});
export type Version = Static<typeof Version>;

export const DatapipeStatus = Type.Object({
  status: Type.Union([Type.Literal('idle'), Type.Literal('ingesting'), Type.Literal('analyzing')]),
  updated_at: Time,
  last_complete_analysis_at: Time,
  last_analysis_run_at: Time,
  next_scheduled_analysis_at: Time,
  waits_for: Type.Optional(
    Type.Object(
      { selector_id: Type.Integer(), selector: Type.String(), zone: Type.String(), since: Time },
      { description: 'The selector whose query the analysis is running' },
    ),
  ),
  contradictions: Type.Optional(
    Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer({ minimum: 1 }) }), {
      description: 'Contradictions in the newest analysis and its plans; absent without any',
    }),
  ),
});
export type DatapipeStatus = Static<typeof DatapipeStatus>;

export const Health = Type.Object({ status: Type.Literal('ok') });

/** `degraded`: requests are answered, but ingest or analysis is blocked. */
export const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
  reason: Type.Optional(Type.String()),
});
