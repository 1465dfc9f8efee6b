/** Data of an installation: audit log, roles, permissions, configuration. */
import Type from 'typebox';
import { column, TIMESTAMP_COLUMNS } from '../columns.ts';
import { nullable, Time, Uuid } from './common.ts';
import { timestamps } from './identity.ts';

export const AuditEntryRecord = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  actor_id: nullable(Uuid, 'Null for callers that are not users'),
  actor_name: Type.String(),
  actor_email: nullable(Type.String()),
  action: Type.String(),
  fields: Type.Record(Type.String(), Type.Unknown()),
  request_id: nullable(Type.String()),
  source_ip_address: nullable(Type.String()),
  commit_id: Uuid,
  status: Type.Union([Type.Literal('intent'), Type.Literal('success'), Type.Literal('failure')]),
});

export const AUDIT_COLUMNS = {
  id: column('integer'),
  created_at: column('time'),
  actor_id: column('string'),
  actor_name: column('string'),
  actor_email: column('string'),
  action: column('string'),
  request_id: column('string'),
  source_ip_address: column('string'),
  source: column('string'),
  status: column('string', { words: ['intent', 'success', 'failure'] }),
} as const;

export const PERMISSION_COLUMNS = {
  id: column('integer'),
  authority: column('string'),
  name: column('string'),
  ...TIMESTAMP_COLUMNS,
} as const;

export const ROLE_COLUMNS = {
  id: column('integer'),
  name: column('string'),
  description: column('string'),
  ...TIMESTAMP_COLUMNS,
} as const;

export const ConfigParameter = Type.Object({
  id: Type.Integer(),
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
  value: Type.Record(Type.String(), Type.Unknown()),
  fixed_by: Type.Optional(
    Type.String({
      description:
        'Only for values that cannot be changed: the variables that set them at the start of the service; empty for fixed values',
    }),
  ),
  ...timestamps,
});

export const ConfigChange = Type.Object({
  key: Type.String(),
  value: Type.Record(Type.String(), Type.Unknown()),
});

export const CONFIG_COLUMNS = { parameter: column('string', { sortable: false }) } as const;
