/** Sign-ins of assistants in the API: what users granted, and its end. */
import { apiError, type Handlers, recordSuccess, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import type { AssistantGrants } from '../oauth/grants.ts';
import { requireSubject } from './credentialHandlers.ts';

export function assistantHandlers(
  db: Db,
  assistants: AssistantGrants,
): Handlers<'ListUserAssistants' | 'EndUserAssistant'> {
  return {
    async ListUserAssistants({ params }, context) {
      const { user } = await requireSubject(db, requireUser(context.principal), params.user_id);
      return { status: 200, json: { data: { assistants: [...(await assistants.list(user.id))] } } };
    },

    async EndUserAssistant({ params }, context) {
      const { user } = await requireSubject(db, requireUser(context.principal), params.user_id);
      await db.transaction().execute(async (transaction) => {
        const name = await assistants.end(transaction, user.id, params.assistant_id);
        if (name === undefined) throw apiError('resourceNotFound');
        const fields = { user_id: user.id, client_name: name };
        await recordSuccess(transaction, context, 'EndUserAssistant', fields);
      });
      assistants.forget();
      return { status: 200 };
    },
  };
}
