/** The caller's own data, and signing out. Rule: `docs/reference/api.md#session-tokens`. */

import type { CollectorClient } from '@clew/api';
import { apiError, type Handlers, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import { userRecord } from './records.ts';
import type { Sessions } from './sessions.ts';
import { findUser } from './users.ts';

export interface SessionParts {
  readonly db: Db;
  readonly sessions: Sessions;
  /** Reads the record of a collector; absent: collectors get no answer. */
  readonly clientRecord: ((clientId: string) => Promise<CollectorClient>) | undefined;
}

export function sessionHandlers({
  db,
  sessions,
  clientRecord,
}: SessionParts): Handlers<'GetSelf' | 'Logout'> {
  return {
    async GetSelf(_, { principal }) {
      if (principal.kind === 'client' && clientRecord !== undefined)
        return { status: 200, json: { data: await clientRecord(principal.clientId) } };
      const found = await findUser(db, requireUser(principal).userId);
      // The user was deleted after the request was authenticated.
      if (found === undefined) throw apiError('notAuthenticated');
      return { status: 200, json: { data: userRecord(found.user, found.secret) } };
    },

    /** Also works without credentials, and for signed requests, which have no session. */
    async Logout(_, { principal, publicUrl }) {
      if (principal.kind === 'user' && principal.sessionId !== undefined)
        await sessions.end(principal.sessionId);
      return { status: 200, headers: { location: `${publicUrl}/ui` } };
    },
  };
}
