/**
 * Views of the service as another user, for administrators. A view is not a credential: each request proves who asks with the session or token
 * that began the view, and names the view in a header. It therefore ends with that session or token, and with either user.
 */
import { randomUUID } from 'node:crypto';
import {
  type Actor,
  type ApiError,
  apiError,
  FreshCache,
  recordAudit,
  type UserPrincipal,
  type Viewer,
} from '@clew/common';
import type { Db, UserAccountTable, ViewAsTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { userPrincipal } from '../principals.ts';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 30;
/** Maximum number of running views of an administrator; the oldest ends. */
const MAX_RUNNING = 20;
const RETENTION_MS = 30 * 24 * 3600_000;

export const MANAGE_USERS = 'auth/ManageUsers';

type ViewRow = Selectable<ViewAsTable>;
type Named = Pick<ViewRow, 'id' | 'viewer_id' | 'viewer_name' | 'viewer_email'> &
  Pick<ViewRow, 'user_id' | 'user_name' | 'client_address' | 'created_at'>;

interface LiveView {
  readonly view: ViewRow;
  /** The user as whom the viewer asks, with present rights. */
  readonly user: UserPrincipal;
}

export class ViewsAs {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #live: FreshCache<LiveView | undefined>;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#live = new FreshCache((id) => this.#load(id), clock);
  }

  /** @param db a transaction @throws ApiError 403 if the user may do or see more than the viewer, 409 for a disabled user */
  async begin(
    db: Db,
    request: Actor,
    viewer: UserPrincipal,
    user: Selectable<UserAccountTable>,
    minutes = DEFAULT_MINUTES,
  ): Promise<ViewRow> {
    const { sessionId = null, tokenId = null } = viewer;
    if (sessionId === null && tokenId === null) throw apiError('forbidden');
    if (user.is_disabled) throw apiError('viewAsDisabled');
    if (!includes(viewer, userPrincipal(user))) throw apiError('viewAsWider');
    const now = this.#clock.now();
    const values: ViewRow = {
      ...{ id: randomUUID(), viewer_id: viewer.userId, viewer_name: viewer.name, viewer_email: viewer.email },
      ...{ session_id: sessionId, token_id: sessionId === null ? tokenId : null },
      ...{ user_id: user.id, user_name: user.principal_name, client_address: request.clientAddress },
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + minutes * MINUTE_MS).toISOString(),
      ended_at: null,
    };
    const view = await db.insertInto('view_as').values(values).returningAll().executeTakeFirstOrThrow();
    await recordAudit(db, request, {
      ...{ action: 'BeginViewAs', status: 'success', commitId: view.id },
      fields: { user_id: user.id, user_name: user.principal_name, expires_at: view.expires_at },
    });
    const surplus = await db
      .selectFrom('view_as')
      .select('id')
      .where('viewer_id', '=', viewer.userId)
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .offset(MAX_RUNNING)
      .execute();
    await this.#endAll(db, new Map(surplus.map(({ id }) => [id, 'newer ones began'])));
    return view;
  }

  /** @param db a transaction @returns whether a view of this administrator ended */
  async end(db: Db, id: string, viewerId: string): Promise<boolean> {
    const own = await db
      .selectFrom('view_as')
      .select('id')
      .where('id', '=', id)
      .where('viewer_id', '=', viewerId)
      .executeTakeFirst();
    return own !== undefined && (await this.#endAll(db, new Map([[id, 'ended by its viewer']]))) > 0;
  }

  /** @param caller the sender of the request @returns the user as whom the request is answered; an error if the view does not hold */
  async principalOf(id: string, caller: UserPrincipal): Promise<UserPrincipal | ApiError> {
    const live = VIEW_ID.test(id) ? await this.#live.get(id.toLowerCase()) : undefined;
    if (live === undefined) return apiError('viewAsEnded');
    const { view, user } = live;
    const isOwn =
      view.viewer_id === caller.userId &&
      (view.session_id === null ? view.token_id === caller.tokenId : view.session_id === caller.sessionId);
    if (!isOwn || Date.parse(view.expires_at) <= this.#clock.now()) return apiError('viewAsEnded');
    // Both may have other rights since the view began.
    if (!caller.permissions.has(MANAGE_USERS) || !includes(caller, user)) return apiError('viewAsWider');
    const viewedBy: Viewer = {
      ...{ userId: caller.userId, name: caller.name, email: caller.email, viewId: view.id },
    };
    return { ...user, viewedBy };
  }

  /** Drops cached views after a change of users or views. */
  forget(): void {
    this.#live.clear();
  }

  /** Records the end of views that no longer hold, and deletes old ones. */
  async sweep(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    await this.#db.transaction().execute(async (db) => {
      const { rows } = await sql<{ id: string; reason: string }>`
        select * from (
          select view_as.id, case
            when view_as.expires_at <= ${now} then 'its time was over'
            when seen.id is null or seen.is_disabled then 'the user was disabled or deleted'
            when viewer.id is null or viewer.is_disabled then 'its viewer was disabled or deleted'
            when session_id is not null and (session.id is null or session.ended_at is not null or session.expires_at <= ${now})
              then 'the session of its viewer ended'
            when token_id is not null and (token.id is null or token.expires_at <= ${now})
              then 'the token of its viewer ended'
          end as reason
          from view_as
            left join user_account seen on seen.id = view_as.user_id
            left join user_account viewer on viewer.id = view_as.viewer_id
            left join user_session session on session.id = view_as.session_id
            left join auth_token token on token.id = view_as.token_id
          where view_as.ended_at is null
        ) ended where reason is not null`.execute(db);
      await this.#endAll(db, new Map(rows.map(({ id, reason }) => [id, reason])));
    });
    const old = new Date(this.#clock.now() - RETENTION_MS).toISOString();
    await this.#db.deleteFrom('view_as').where('ended_at', '<', old).execute();
  }

  /** @param reasons by view; several processes may try to end the same one @returns the number of ended views */
  async #endAll(db: Db, reasons: ReadonlyMap<string, string>): Promise<number> {
    if (reasons.size === 0) return 0;
    const now = this.#clock.now();
    const ended = await db
      .updateTable('view_as')
      .set({ ended_at: new Date(now).toISOString() })
      .where('id', 'in', [...reasons.keys()])
      .where('ended_at', 'is', null)
      .returningAll()
      .execute();
    for (const view of ended)
      await recordAudit(db, viewerOf(view), {
        ...{ action: 'EndViewAs', status: 'success', commitId: view.id },
        fields: {
          ...{ user_id: view.user_id, user_name: view.user_name, reason: reasons.get(view.id) ?? '' },
          seconds: Math.round((now - Date.parse(view.created_at)) / 1000),
        },
      });
    return ended.length;
  }

  async #load(id: string): Promise<LiveView | undefined> {
    const view = await this.#db
      .selectFrom('view_as')
      .selectAll()
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (view === undefined) return undefined;
    const user = await this.#db
      .selectFrom('user_account')
      .selectAll()
      .where('id', '=', view.user_id)
      .where('is_disabled', '=', false)
      .executeTakeFirst();
    return user && { view, user: userPrincipal(user) };
  }
}

const VIEW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns whether the viewer may do and see everything that the user may */
function includes(viewer: UserPrincipal, user: UserPrincipal): boolean {
  const { permissions, environments } = viewer;
  if (![...user.permissions].every((permission) => permissions.has(permission))) return false;
  if (environments === null) return true;
  return user.environments !== null && [...user.environments].every((one) => environments.has(one));
}

/** The end of a view concerns its viewer, also without a request. */
function viewerOf(view: Named): Actor {
  const { viewer_id: userId, viewer_name: name, viewer_email: email, client_address } = view;
  const principal: UserPrincipal = {
    ...{ kind: 'user', userId, name, email, role: '', permissions: new Set(), environments: new Set() },
  };
  return { principal, requestId: view.id, clientAddress: client_address, peerAddress: client_address };
}
