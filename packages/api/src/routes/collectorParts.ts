/** Parts that routes of collectors share. */
import Type from 'typebox';
import { uuidId, withDefault } from '../parameters.ts';

const ENTERPRISE = ['enterprise'] as const;

/** For collectors only: users receive 404, whatever their role. Each call is stored as the last one of its collector. */
export const CALL_OF_COLLECTOR = {
  reads: false,
  access: ['clients/Tasking'],
  editions: ENTERPRISE,
  rateClass: 'exempt',
} as const;

export const READ_CLIENTS = { access: ['clients/Read'], editions: ENTERPRISE } as const;
export const MANAGE_CLIENTS = { access: ['clients/Manage'], editions: ENTERPRISE } as const;
export const READ_JOBS = {
  access: ['collection/ReadJobs', 'collection/ManageJobs'],
  editions: ENTERPRISE,
} as const;
export const MANAGE_JOBS = { access: ['collection/ManageJobs'], editions: ENTERPRISE } as const;

/** Errors and logs of collectors, and scopes with many objects. */
export const LARGE_BODY = { bodyKind: 'json', maxBodyBytes: 1024 * 1024 } as const;

export const ClientPath = Type.Object({ client_id: uuidId('The id of the collector client') });

/** Whether domains and organizational units are returned with their stored values, or by id. */
export const hydration = {
  hydrate_domains: withDefault(
    Type.Boolean({ description: 'Returns domains with their names, not only their ids' }),
    true,
  ),
  hydrate_ous: withDefault(
    Type.Boolean({ description: 'Returns organizational units with their names, not only their ids' }),
    true,
  ),
};
