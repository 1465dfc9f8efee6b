/** Begins and ends views of the service as another user. */
import { apiError, type Handlers, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import { findUser } from '../users.ts';
import type { ViewsAs } from './viewsAs.ts';

export function viewAsHandlers(db: Db, views: ViewsAs): Handlers<'BeginViewAs' | 'EndViewAs'> {
  return {
    async BeginViewAs({ body }, context) {
      const viewer = requireUser(context.principal);
      const found = await findUser(db, body.user_id.toLowerCase());
      if (found === undefined) throw apiError('resourceNotFound');
      const { id, user_id, user_name, expires_at } = await db
        .transaction()
        .execute((transaction) => views.begin(transaction, context, viewer, found.user, body.minutes));
      views.forget();
      return { status: 201, json: { data: { id, user_id, user_name, expires_at } } };
    },

    async EndViewAs({ params }, context) {
      const viewer = requireUser(context.principal);
      const id = params.view_as_id.toLowerCase();
      const isEnded = await db.transaction().execute((on) => views.end(on, id, viewer.userId));
      views.forget();
      if (!isEnded) throw apiError('resourceNotFound');
      return { status: 204 };
    },
  };
}
