/** Information about the service: version, state of the data pipe, health. */
import Type, { type Static } from 'typebox';
import { nullable, Time } from './common.ts';

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
  degraded: Type.Optional(
    Type.String({ description: 'Why ingest, analysis or backups have stopped; absent while they work' }),
  ),
  contradictions: Type.Optional(
    Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer({ minimum: 1 }) }), {
      description: 'Contradictions in the latest analysis and its plans; absent without any',
    }),
  ),
});
export type DatapipeStatus = Static<typeof DatapipeStatus>;

export const Health = Type.Object({ status: Type.Literal('ok') });

/** `degraded`: requests are answered, but ingest or analysis is blocked, or a scheduled backup is missing. */
export const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
  reason: Type.Optional(Type.String()),
});

export const BackupRecord = Type.Object({
  made_at: Type.String({
    format: 'date-time',
    description: 'The time whose data the backup contains, or the time of its failure',
  }),
  seconds: Type.Number({ description: 'How long it took' }),
  file: nullable(Type.String(), 'Its location on the machine that created it; null if it failed'),
  bytes: nullable(Type.Integer()),
  is_encrypted: Type.Boolean(),
  with_key: Type.Boolean({ description: 'Whether it holds the secret key' }),
  is_scheduled: Type.Boolean({ description: '`false` for backups that `clew admin backup` created' }),
  fault: nullable(
    Type.String(),
    'Why it failed, or why older ones could not be deleted after it (then `file` is not null)',
  ),
});
export type BackupRecord = Static<typeof BackupRecord>;

export const BackupSchedule = Type.Object({
  directory: Type.String(),
  hours: Type.Integer({ description: 'Hours between two backups' }),
  keep: Type.Integer({ description: 'Number of backups to keep in the directory' }),
  is_encrypted: Type.Boolean(),
  with_key: Type.Boolean(),
  next_at: Time,
});
export type BackupSchedule = Static<typeof BackupSchedule>;

export const BackupOverview = Type.Object({
  schedule: nullable(BackupSchedule, 'Null if CLEW_BACKUP_DIR is not set'),
  fault: nullable(
    Type.String(),
    'Why the newest scheduled backup is missing, or older ones could not be deleted',
  ),
  backups: Type.Array(BackupRecord, { description: 'The 20 newest' }),
});
export type BackupOverview = Static<typeof BackupOverview>;

export const AdviceRecord = Type.Object({
  about: Type.Union(
    [
      Type.Literal('tls'),
      Type.Literal('disk'),
      Type.Literal('clock'),
      Type.Literal('memory'),
      Type.Literal('pages'),
      Type.Literal('database'),
    ],
    { description: 'A short name that does not change' },
  ),
  text: Type.String({ description: 'Sentences with the fault and its remedy' }),
});
export type AdviceRecord = Static<typeof AdviceRecord>;
