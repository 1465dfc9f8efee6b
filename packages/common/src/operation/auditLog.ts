/** The audit log: the actor, the action, its origin, and its outcome. Rule: `docs/reference/api.md#signing-in`. */
import { randomUUID } from 'node:crypto';
import type { AuditStatus, Db } from '@clew/store';
import type { RequestContext } from './handler.ts';
import type { Principal } from './principal.ts';
import { storableText } from './storableText.ts';

export interface AuditEntry {
  /** `DeleteAuthToken`: a verb with its object. */
  readonly action: string;
  readonly status: AuditStatus;
  /** The object of the action, without secrets. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  /** Connects the intent of an action with its outcome; by default, the entry is separate. */
  readonly commitId?: string;
}

/** The user, program or process that acts, and its address. */
export type Actor = Pick<RequestContext, 'principal' | 'requestId' | 'clientAddress' | 'peerAddress'>;

/** Pass the transaction of the change as `db`, so that both are stored or neither. */
export async function recordAudit(db: Db, request: Actor, entry: AuditEntry): Promise<void> {
  const actor = actorOf(request.principal);
  const fields = { ...entry.fields, ...viewedFields(request.principal) };
  await db
    .insertInto('audit_log')
    .values({
      actor_id: actor.id,
      actor_name: actor.name,
      actor_email: actor.email,
      action: entry.action,
      fields: JSON.stringify(fields, (_, value) => (typeof value === 'string' ? storableText(value) : value)),
      request_id: request.requestId,
      source_ip_address: sourceOf(request),
      status: entry.status,
      commit_id: entry.commitId ?? randomUUID(),
    })
    .execute();
}

/** Records a successful change; see `recordAudit`. */
export const recordSuccess = (
  db: Db,
  request: Actor,
  action: string,
  fields: AuditEntry['fields'],
): Promise<void> => recordAudit(db, request, { action, status: 'success', fields });

/** Behind a proxy, both are recorded: the client that the proxy reports, and the proxy itself. */
export function sourceOf({
  clientAddress,
  peerAddress,
}: Pick<Actor, 'clientAddress' | 'peerAddress'>): string {
  return clientAddress === peerAddress ? clientAddress : `${clientAddress},${peerAddress}`;
}

function actorOf(principal: Principal): {
  readonly id: string | null;
  readonly name: string;
  readonly email: string | null;
} {
  switch (principal.kind) {
    case 'user': {
      const { userId, name, email } = principal.viewedBy ?? principal;
      return { id: userId, name, email };
    }
    case 'client':
      return { id: principal.clientId, name: principal.name, email: null };
    case 'anonymous':
      return { id: null, name: '', email: null };
  }
}

/** An administrator who sees the service as another user stays the actor. */
function viewedFields(principal: Principal): AuditEntry['fields'] {
  if (principal.kind !== 'user' || principal.viewedBy === undefined) return {};
  return { viewed_as: principal.name, viewed_as_id: principal.userId };
}
