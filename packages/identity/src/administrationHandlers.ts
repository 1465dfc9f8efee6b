/** The audit log, the lists of roles and permissions, and the terms of use. */
import { AUDIT_COLUMNS, PERMISSION_COLUMNS, ROLE_COLUMNS } from '@clew/api';
import {
  apiError,
  filterConditions,
  filterRows,
  type Handlers,
  parseListQuery,
  parseTime,
  requireUser,
  sortOrders,
  sortRows,
} from '@clew/common';
import { PERMISSIONS, ROLES, roleById } from '@clew/model';
import type { AuditLogTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { permissionRecord, roleRecord } from './records.ts';

type Operations =
  | 'ListAuditLogs'
  | 'ListRoles'
  | 'GetRole'
  | 'ListPermissions'
  | 'GetPermission'
  | 'AcceptEula'
  | 'AcceptFederalEula'
  | 'GetFederalEulaStatus'
  | 'GetFederalEulaText';

const AUDIT_REFERENCES = { source: sql.ref('source_ip_address') };

const YEAR_MS = 365 * 24 * 3600_000;

export function administrationHandlers(db: Db): Handlers<Operations> {
  return {
    async ListAuditLogs({ rawQuery, query }) {
      const { filters, sorts } = parseListQuery(rawQuery, AUDIT_COLUMNS, ['before', 'after', 'offset']);
      const { limit } = query;
      const skip = query.offset ?? query.skip;
      const now = Date.now();
      const before = instantOf(rawQuery.get('before'), now);
      const after = instantOf(rawQuery.get('after'), now - YEAR_MS);
      // A default end is not a mistake of the caller.
      if (rawQuery.get('after') && rawQuery.get('before') && before < after)
        throw apiError('invalidTimeRange');
      const fitting = db
        .selectFrom('audit_log')
        .where('created_at', '<=', sql<string>`${before}::timestamptz`)
        .where('created_at', '>=', sql<string>`${after}::timestamptz`)
        .where((eb) => eb.and(filterConditions(filters, AUDIT_REFERENCES)));
      const { count } = await fitting
        .select(sql<number>`count(*)::integer`.as('count'))
        .executeTakeFirstOrThrow();
      const newestFirst = [{ column: 'created_at', type: 'time', descending: true }] as const;
      const orders = sortOrders(sorts.length > 0 ? sorts : newestFirst, AUDIT_REFERENCES);
      const rows = await orders
        .reduce((page, order) => page.orderBy(order), fitting)
        .orderBy('id', 'desc')
        .offset(skip)
        .limit(limit)
        .selectAll()
        .execute();
      return { status: 200, json: { count, skip, limit, data: { logs: rows.map(auditRecord) } } };
    },

    async ListRoles({ rawQuery }) {
      const { filters, sorts } = parseListQuery(rawQuery, ROLE_COLUMNS);
      const roles = sortRows(filterRows(ROLES.map(roleRecord), filters, readColumn), sorts, byId, readColumn);
      return { status: 200, json: { data: { roles: [...roles] } } };
    },

    async GetRole({ params }) {
      const role = roleById(params.role_id);
      if (role === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data: roleRecord(role) } };
    },

    async ListPermissions({ rawQuery }) {
      const { filters, sorts } = parseListQuery(rawQuery, PERMISSION_COLUMNS);
      const permissions = sortRows(
        filterRows(PERMISSIONS.map(permissionRecord), filters, readColumn),
        sorts,
        byId,
        readColumn,
      );
      return { status: 200, json: { data: { permissions: [...permissions] } } };
    },

    async GetPermission({ params }) {
      const permission = PERMISSIONS.find(({ id }) => id === params.permission_id);
      if (permission === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data: permissionRecord(permission) } };
    },

    async AcceptEula(_, { principal }) {
      await db
        .updateTable('user_account')
        .set({ eula_accepted: true })
        .where('id', '=', requireUser(principal).userId)
        .execute();
      return { status: 202 };
    },

    // The license contains the only terms, so users accept nothing.
    GetFederalEulaStatus: async () => ({ status: 200, json: { data: { accepted: true } } }),
    GetFederalEulaText: async () => ({ status: 200, json: { data: { text: '' } } }),
    AcceptFederalEula: async () => ({ status: 202 }),
  };
}

/** Built-in roles were never deleted. */
const readColumn = (row: object, column: string): unknown =>
  column === 'deleted_at' ? null : (row as Readonly<Record<string, unknown>>)[column];

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;

/** @throws ApiError 400 for a text that is not a time */
function instantOf(text: string | null, otherwise: number): string {
  if (text === null || text === '') return new Date(otherwise).toISOString();
  const instant = parseTime(text);
  if (instant === undefined) throw apiError('malformedTime', { value: text.slice(0, 100) });
  return instant;
}

function auditRecord(row: Selectable<AuditLogTable>) {
  return {
    ...row,
    source_ip_address: row.source_ip_address || null,
    fields: row.fields as Readonly<Record<string, unknown>>,
  };
}
