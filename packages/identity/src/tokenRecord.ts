/** API tokens in answers. */
import { type AuthToken, NOT_DELETED, nullTime, ZERO_TIME } from '@clew/api';
import type { TokenRow } from './tokens.ts';

/** @param key empty except at creation */
export function tokenRecord(row: TokenRow, key: string): AuthToken {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    key,
    hmac_method: row.hmac_method,
    last_access: row.last_access ?? ZERO_TIME,
    created_by: row.created_by,
    expires_at: nullTime(row.expires_at),
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: NOT_DELETED,
  };
}
