/** Collector clients, their schedules and jobs (`docs/reference/collectors.md`). */
import Type, { type Static } from 'typebox';
import { column, NEVER_OR_TIME, TIMESTAMP_COLUMNS } from '../columns.ts';
import { Count, int32, nullable, Time, Uuid } from './common.ts';
import { AuthToken, timestamps } from './identity.ts';
import { JobStatusNumber } from './uploads.ts';

/** Collectors of other publishers, whose releases an administrator may provide for download. */
const PUBLISHED_COLLECTORS = ['sharphound', 'azurehound', 'openhound'] as const;
export const PublishedCollectorName = Type.Enum(PUBLISHED_COLLECTORS);

/** The last one is Clew's own collector (`clew collector run`). */
export const COLLECTOR_TYPES = [...PUBLISHED_COLLECTORS, 'clew'] as const;
export type CollectorType = (typeof COLLECTOR_TYPES)[number];
export const CollectorTypeName = Type.Enum(COLLECTOR_TYPES);

/** The data that a run may collect. */
export const COLLECTION_FLAGS = [
  'session_collection',
  'local_group_collection',
  'ad_structure_collection',
  'cert_services_collection',
  'ca_registry_collection',
  'dc_registry_collection',
] as const;
export type CollectionFlag = (typeof COLLECTION_FLAGS)[number];

const FLAG_FIELDS = {
  session_collection: Type.Boolean(),
  local_group_collection: Type.Boolean(),
  ad_structure_collection: Type.Boolean(),
  cert_services_collection: Type.Boolean(),
  ca_registry_collection: Type.Boolean(),
  dc_registry_collection: Type.Boolean(),
  all_trusted_domains: Type.Boolean(),
};

const Name = Type.String({ minLength: 1, maxLength: 256 });
const NameOrNothing = nullable(Type.String({ maxLength: 256 }));
const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 1_000 });

/** Scope and data of a run, as clients request them; absent flags are off. Fields of answers are accepted and ignored. */
const CollectionRequest = {
  ...Type.Partial(Type.Object(FLAG_FIELDS)).properties,
  ous: Type.Optional(nullable(Ids)),
  domains: Type.Optional(nullable(Ids)),
};

export const ScheduleRequest = Type.Object({
  client_id: Type.Optional(Uuid),
  rrule: Type.String({
    maxLength: 4_096,
    description: 'A recurrence rule (RFC 5545), with or without `DTSTART` and `RRULE:`',
  }),
  ...CollectionRequest,
});
export type ScheduleRequest = Static<typeof ScheduleRequest>;

export const CreateClientRequest = Type.Object({
  name: Name,
  domain_controller: Type.Optional(NameOrNothing),
  type: CollectorTypeName,
  events: Type.Optional(nullable(Type.Array(ScheduleRequest, { maxItems: 100 }))),
});

export const UpdateClientRequest = Type.Object({
  name: Type.Optional(Name),
  domain_controller: Type.Optional(NameOrNothing),
});

export const JobRequest = Type.Object({
  ...CollectionRequest,
  domain_controller: Type.Optional(NameOrNothing),
});
export type JobRequest = Static<typeof JobRequest>;

const Said = Type.Optional(nullable(Type.String({ maxLength: 1_024 })));

/** Data of a collector about itself. */
export const ClientInfo = Type.Object({
  address: Said,
  hostname: Said,
  username: Said,
  version: Said,
  usersid: Said,
});

/** Larger texts are cut in the log. */
const LOG_TEXT_BYTES = 900_000;

export const ClientError = Type.Object({
  task_error: Type.String({ maxLength: LOG_TEXT_BYTES }),
  additional: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
});

export const StartJobRequest = Type.Object({ id: Type.Integer() });

/** Numbers of objects that a collector found in a domain. */
export const RESULT_COUNTS = [
  'user_count',
  'group_count',
  'computer_count',
  'gpo_count',
  'ou_count',
  'container_count',
  'aiaca_count',
  'rootca_count',
  'enterpriseca_count',
  'ntauthstore_count',
  'certtemplate_count',
  'deleted_count',
] as const;

const CountFields = Type.Object({
  user_count: Count,
  group_count: Count,
  computer_count: Count,
  gpo_count: Count,
  ou_count: Count,
  container_count: Count,
  aiaca_count: Count,
  rootca_count: Count,
  enterpriseca_count: Count,
  ntauthstore_count: Count,
  certtemplate_count: Count,
  deleted_count: Count,
});

const DomainResultRequest = Type.Object({
  domain_name: Type.String({ maxLength: 1_024 }),
  success: Type.Boolean(),
  message: Type.Optional(nullable(Type.String({ maxLength: 65_536 }))),
  ...Type.Partial(CountFields).properties,
});

export const EndJobRequest = Type.Object({
  status: Type.String({ description: '`COMPLETE` or `FAILED`' }),
  message: Type.Optional(nullable(Type.String({ maxLength: 65_536 }))),
  domain_results: Type.Optional(nullable(Type.Array(DomainResultRequest, { maxItems: 10_000 }))),
  log: Type.Optional(
    nullable(
      Type.String({
        maxLength: LOG_TEXT_BYTES,
        description: 'Text about the run that is kept with the job log',
      }),
    ),
  ),
});
export type EndJobRequest = Static<typeof EndJobRequest>;

/** An organizational unit or a domain of a schedule: its stored values, or only its id. */
const OuDetails = Type.Object({
  objectid: Type.String(),
  name: Type.String(),
  exists: Type.Boolean(),
  distinguishedname: nullable(Type.String()),
  type: nullable(Type.String()),
});
const DomainDetails = Type.Object({
  objectid: Type.String(),
  name: Type.String(),
  exists: Type.Boolean(),
  type: Type.String(),
});
const detailsOrIds = <T extends typeof OuDetails | typeof DomainDetails>(details: T) =>
  Type.Array(Type.Union([details, Type.String()]));

const Scope = {
  ...FLAG_FIELDS,
  ous: detailsOrIds(OuDetails),
  domains: detailsOrIds(DomainDetails),
};

/** The times at which a client collects. */
export const ClientSchedule = Type.Object({
  id: int32(),
  client_id: Uuid,
  rrule: Type.String(),
  next_scheduled_at: Type.String({
    format: 'date-time',
    description: 'The zero time when the rule has no further run',
  }),
  ...Scope,
  ...timestamps,
});
export type ClientSchedule = Static<typeof ClientSchedule>;

export const DomainCollectionResult = Type.Object({
  id: Type.Integer(),
  job_id: Type.Integer(),
  domain_name: Type.String(),
  success: Type.Boolean(),
  message: Type.String(),
  ...CountFields.properties,
  ...timestamps,
});
export type DomainCollectionResult = Static<typeof DomainCollectionResult>;

/** A job of a collector. Collectors decode it strictly: ids are numbers, times are never empty. */
export const ClientJob = Type.Object({
  id: Type.Integer(),
  client_id: Uuid,
  client_name: Type.String(),
  event_id: nullable(Type.Integer()),
  event_title: Type.String(),
  execution_time: Time,
  start_time: Time,
  end_time: Time,
  last_ingest: Time,
  ingest_job_id: nullable(Type.Integer(), 'The upload job of its data, if there is one yet'),
  status: JobStatusNumber,
  status_message: Type.String(),
  /** The same text, by its name in older answers. */
  statusMessage: Type.String(),
  log_path: nullable(Type.String()),
  domain_controller: Type.String(),
  ...Scope,
  domain_results: Type.Array(DomainCollectionResult),
  ...timestamps,
});
export type ClientJob = Static<typeof ClientJob>;

export const CollectorClient = Type.Object({
  id: Uuid,
  name: Type.String(),
  type: CollectorTypeName,
  ip_address: nullable(Type.String()),
  hostname: nullable(Type.String()),
  configured_user: Type.String(),
  version: Type.String(),
  user_sid: nullable(Type.String()),
  domain_controller: nullable(Type.String()),
  last_checkin: Time,
  events: Type.Array(ClientSchedule),
  token: AuthToken,
  current_job_id: nullable(Type.Integer()),
  current_task_id: nullable(Type.Integer()),
  current_job: nullable(ClientJob),
  current_task: nullable(ClientJob),
  completed_job_count: Count,
  completed_task_count: Count,
  ...timestamps,
});
export type CollectorClient = Static<typeof CollectorClient>;

/** Log lines of a running job. */
export const JobLogLines = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: Type.String({
        format: 'date-time',
        maxLength: 64,
        description:
          'The clock of the collector; a time in the future, or before the run, is the time of the call',
      }),
      text: Type.String({ minLength: 1, maxLength: 65_536 }),
    }),
    { maxItems: 1_000 },
  ),
});
export type JobLogLines = Static<typeof JobLogLines>;

export const JobLog = Type.Object({ log: Type.String() });

export const CLIENT_COLUMNS = {
  id: column('uuid'),
  name: column('string'),
  ip_address: column('string'),
  hostname: column('string'),
  configured_user: column('string'),
  version: column('string'),
  user_sid: column('string'),
  last_checkin: NEVER_OR_TIME,
  current_job_id: column('integer'),
  completed_job_count: column('integer'),
  domain_controller: column('string'),
  type: column('string', { words: COLLECTOR_TYPES }),
  ...TIMESTAMP_COLUMNS,
} as const;

const FLAG_COLUMNS = {
  session_collection: column('boolean'),
  local_group_collection: column('boolean'),
  ad_structure_collection: column('boolean'),
  cert_services_collection: column('boolean'),
  ca_registry_collection: column('boolean'),
  dc_registry_collection: column('boolean'),
} as const;

export const SCHEDULE_COLUMNS = {
  id: column('integer'),
  client_id: column('uuid'),
  rrule: column('string'),
  next_scheduled_at: NEVER_OR_TIME,
  ...FLAG_COLUMNS,
  ...TIMESTAMP_COLUMNS,
} as const;

export const JOB_COLUMNS = {
  id: column('integer'),
  client_id: column('uuid'),
  client_name: column('string'),
  event_id: column('integer'),
  event_title: column('string'),
  status: column('integer'),
  status_message: column('string'),
  log_path: column('string'),
  domain_controller: column('string'),
  execution_time: NEVER_OR_TIME,
  start_time: NEVER_OR_TIME,
  end_time: NEVER_OR_TIME,
  last_ingest: NEVER_OR_TIME,
  ...FLAG_COLUMNS,
  ...TIMESTAMP_COLUMNS,
} as const;

/** Versions of a collector that can be downloaded. */
export const CollectorManifest = Type.Object({
  latest: Type.String(),
  versions: Type.Array(
    Type.Object({
      version: Type.String(),
      sha256sum: Type.String(),
      deprecated: Type.Boolean(),
    }),
  ),
});
export type CollectorManifest = Static<typeof CollectorManifest>;

const KennelVersions = Type.Array(
  Type.Object({
    version: Type.String(),
    version_meta: Type.Object({
      major: Count,
      minor: Count,
      patch: Count,
      prerelease: Type.String(),
    }),
    release_date: Time,
    release_assets: Type.Array(
      Type.Object({
        name: Type.String(),
        download_url: Type.String(),
        checksum_download_url: Type.String(),
        os: Type.String(),
        arch: Type.String(),
      }),
    ),
  }),
);
export type KennelVersions = Static<typeof KennelVersions>;

export const KennelManifest = Type.Object({ sharphound: KennelVersions, azurehound: KennelVersions });
export const KennelEnterpriseManifest = Type.Object({
  sharphound_enterprise: KennelVersions,
  azurehound_enterprise: KennelVersions,
});
