/** Users in the API: list, create, change, remove. Rule: `docs/reference/api.md#users`. */
import { MINIMAL_USER_COLUMNS, type MinimalUser, type UpdateUserRequest, USER_COLUMNS } from '@clew/api';
import {
  apiError,
  filterConditions,
  type Handlers,
  NEVER_DELETED,
  parseListQuery,
  recordSuccess,
  requireUser,
  sortOrders,
  type UserPrincipal,
} from '@clew/common';
import type { AuthSecretTable, Db, UserAccountTable } from '@clew/store';
import type { Selectable } from 'kysely';
import type { Clock } from '../clock.ts';
import { requireGoodPassword } from '../passwordPolicy.ts';
import type { PasswordHasher } from '../passwords.ts';
import { userRecord } from '../records.ts';
import { setSecret } from '../secrets.ts';
import type { Sessions } from '../sessions.ts';
import { findUser, type UserWithSecret } from '../users.ts';
import { assignableUsers } from './assignableUsers.ts';
import {
  changeUser,
  deleteUser,
  type FindEnvironment,
  fieldsOf,
  insertUser,
  type UserFields,
  withKnownEnvironments,
} from './userWrites.ts';

export interface UserParts {
  readonly db: Db;
  readonly hasher: PasswordHasher;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly findEnvironment: FindEnvironment;
  /** Drops cached user data. */
  readonly forget: () => void;
}

type Operations =
  | 'ListUsers'
  | 'ListUsersMinimal'
  | 'ListAssignableUsers'
  | 'GetUser'
  | 'CreateUser'
  | 'UpdateUser'
  | 'DeleteUser';

export function userHandlers(parts: UserParts): Handlers<Operations> {
  const { db, hasher, sessions, clock, findEnvironment, forget } = parts;
  return {
    async ListUsers({ rawQuery }) {
      const { filters, sorts } = parseListQuery(rawQuery, USER_COLUMNS);
      let query = db
        .selectFrom('user_account')
        .selectAll()
        .where((eb) => eb.and(filterConditions(filters, NEVER_DELETED)));
      for (const order of sortOrders(sorts, NEVER_DELETED)) query = query.orderBy(order);
      const users = await query.orderBy('principal_name').orderBy('id').execute();
      const secrets = await secretsOf(db);
      return {
        status: 200,
        json: { data: { users: users.map((user) => userRecord(user, secrets.get(user.id))) } },
      };
    },

    async ListUsersMinimal({ rawQuery }) {
      const { filters, sorts } = parseListQuery(rawQuery, MINIMAL_USER_COLUMNS);
      let query = db
        .selectFrom('user_account')
        .selectAll()
        .where('is_disabled', '=', false)
        .where((eb) => eb.and(filterConditions(filters)));
      for (const order of sortOrders(sorts)) query = query.orderBy(order);
      const users = await query.orderBy('principal_name').orderBy('id').execute();
      return { status: 200, json: { data: { users: users.map(minimalRecord) } } };
    },

    async ListAssignableUsers() {
      return { status: 200, json: { data: await assignableUsers(db) } };
    },

    async GetUser({ params }) {
      const { user, secret } = await requireStored(db, params.user_id);
      return { status: 200, json: { data: userRecord(user, secret) } };
    },

    async CreateUser({ body }, context) {
      const { secret, needs_password_reset: isToBeReset } = body;
      const fields = {
        ...withKnownEnvironments(fieldsOf(body), findEnvironment),
        ...(await providerField(db, body)),
        principal_name: body.principal,
      };
      if (typeof fields.sso_provider_id === 'number' && secret) throw apiError('singleSignOnUser');
      if (secret) requireGoodPassword(secret);
      const digest = secret ? await hasher.hash(secret) : undefined;
      const made = await db.transaction().execute(async (transaction) => {
        const id = await insertUser(transaction, fields);
        if (digest !== undefined) await setSecret(transaction, id, digest, { now: clock.now(), isToBeReset });
        await recordSuccess(transaction, context, 'CreateUser', { user_id: id, ...auditFields(fields) });
        return requireStored(transaction, id);
      });
      return { status: 200, json: { data: userRecord(made.user, made.secret) } };
    },

    async UpdateUser({ params, body }, context) {
      const caller = requireUser(context.principal);
      await db.transaction().execute(async (transaction) => {
        const { user } = await requireStored(transaction, params.user_id);
        const fields = {
          ...withKnownEnvironments(fieldsOf(body), findEnvironment, user.environments),
          ...(await providerField(transaction, body)),
        };
        requireAllowed(caller, user, fields);
        await requireOwnRole(transaction, user, fields);
        await changeUser(transaction, user, fields);
        const { sso_provider_id: provider = user.sso_provider_id } = fields;
        const hasOtherProvider = provider !== user.sso_provider_id;
        // A user of a provider can only sign in there.
        if (hasOtherProvider && provider !== null)
          await transaction.deleteFrom('auth_secret').where('user_id', '=', user.id).execute();
        if (fields.is_disabled === true || hasOtherProvider) await sessions.endOf(transaction, user.id);
        await recordSuccess(transaction, context, 'UpdateUser', { user_id: user.id, ...auditFields(fields) });
      });
      forget();
      return { status: 200 };
    },

    async DeleteUser({ params }, context) {
      const caller = requireUser(context.principal);
      if (params.user_id.toLowerCase() === caller.userId) throw apiError('ownUserDeleted');
      await db.transaction().execute(async (transaction) => {
        const { user } = await requireStored(transaction, params.user_id);
        await deleteUser(transaction, user);
        await recordSuccess(transaction, context, 'DeleteUser', {
          user_id: user.id,
          principal_name: user.principal_name,
        });
      });
      forget();
      return { status: 200 };
    },
  };
}

/** @throws ApiError 404 */
export async function requireStored(db: Db, userId: string): Promise<UserWithSecret> {
  const found = await findUser(db, userId.toLowerCase());
  if (found === undefined) throw apiError('resourceNotFound');
  return found;
}

async function secretsOf(db: Db): Promise<ReadonlyMap<string, Selectable<AuthSecretTable>>> {
  const rows = await db.selectFrom('auth_secret').selectAll().execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** @throws ApiError 400 for a SAML provider that is not a number, 404 for one that does not exist */
async function providerField(
  db: Db,
  { sso_provider_id: id, saml_provider_id: samlText }: UpdateUserRequest,
): Promise<Pick<UserFields, 'sso_provider_id'>> {
  if (id !== undefined) {
    if (id === null) return { sso_provider_id: null };
    const provider = await db.selectFrom('sso_provider').select('id').where('id', '=', id).executeTakeFirst();
    if (provider === undefined) throw apiError('resourceNotFound');
    return { sso_provider_id: id };
  }
  if (samlText === undefined || samlText === '') return {};
  if (!/^\d{1,9}$/.test(samlText)) throw apiError('malformedSamlProviderId', { value: samlText });
  const provider = await db
    .selectFrom('saml_provider')
    .select('sso_provider_id')
    .where('id', '=', Number(samlText))
    .executeTakeFirst();
  if (provider === undefined) throw apiError('resourceNotFound');
  return { sso_provider_id: provider.sso_provider_id };
}

/** Refuses changes that administrators may not make to themselves, so that a mistake cannot lock them out. @throws ApiError 400 */
function requireAllowed(caller: UserPrincipal, user: Selectable<UserAccountTable>, fields: UserFields): void {
  if (caller.userId !== user.id) return;
  if (fields.is_disabled === true) throw apiError('ownUserDisabled');
  if (fields.role_id !== undefined && fields.role_id !== user.role_id) throw apiError('ownRoleChanged');
  if (fields.sso_provider_id !== undefined && fields.sso_provider_id !== user.sso_provider_id)
    throw apiError('ownProviderChanged');
}

/** The provider of the user may set the role at each sign-in. @throws ApiError 400 */
async function requireOwnRole(
  db: Db,
  user: Selectable<UserAccountTable>,
  { role_id }: UserFields,
): Promise<void> {
  if (role_id === undefined || role_id === user.role_id || user.sso_provider_id === null) return;
  const provider = await db
    .selectFrom('sso_provider')
    .select('role_provision')
    .where('id', '=', user.sso_provider_id)
    .where('auto_provision', '=', true)
    .executeTakeFirst();
  if (provider?.role_provision === true) throw apiError('providerManagesRole');
}

function auditFields(fields: UserFields): Readonly<Record<string, string | number | boolean | null>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
  );
}

function minimalRecord(user: Selectable<UserAccountTable>): MinimalUser {
  const { id, first_name, last_name, email_address } = user;
  return { id, first_name, last_name, email: email_address ?? '' };
}
