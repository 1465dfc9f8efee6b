/** Users who can be assigned work: enabled users who may read the graph. */
import type { AssignableUser } from '@clew/api';
import { ROLES } from '@clew/model';
import type { Db } from '@clew/store';

const READERS = ROLES.filter(({ permissions }) => permissions.has('graphdb/Read')).map(({ id }) => id);

const assignable = (db: Db) =>
  db
    .selectFrom('user_account')
    .select(['id', 'principal_name as name', 'environments'])
    .where('is_disabled', '=', false)
    .where('role_id', 'in', READERS);

/** @returns all of them, by name */
export async function assignableUsers(db: Db): Promise<AssignableUser[]> {
  const rows = await assignable(db).orderBy('principal_name').orderBy('id').execute();
  return rows.map(({ id, name }) => ({ id, name }));
}

export interface Assignee extends AssignableUser {
  /** Object ids of the environments that the user may see; null for all. */
  readonly environments: readonly string[] | null;
}

/** @returns `undefined` for a user who cannot be assigned work; otherwise locks the user until the end of the transaction */
export const assignableUser = (transaction: Db, id: string): Promise<Assignee | undefined> =>
  assignable(transaction).where('id', '=', id).forKeyShare().executeTakeFirst();
