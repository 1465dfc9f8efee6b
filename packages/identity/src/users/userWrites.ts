/** Creates, changes and removes users, with the rules for all changes. Rule: `docs/reference/api.md#users`. */
import { randomUUID } from 'node:crypto';
import { apiError, storableText } from '@clew/common';
import { type Role, roleById, roleByName } from '@clew/model';
import type { Db, UserAccountTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';

/** Stored fields of a user. Absent ones stay unchanged. */
export interface UserFields {
  readonly principal_name?: string;
  readonly email_address?: string | null;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly role_id?: number;
  readonly is_disabled?: boolean;
  /** `null` for all environments. */
  readonly environments?: string[] | null;
  readonly sso_provider_id?: number | null;
  /** The user's identity at the provider. */
  readonly sso_issuer?: string | null;
  readonly sso_subject?: string | null;
}

type StoredUser = Selectable<UserAccountTable>;

/** Profile fields in requests. */
interface WantedProfile {
  readonly principal?: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email_address?: string | null;
  readonly roles?: readonly number[];
  readonly is_disabled?: boolean;
  readonly all_environments?: boolean;
  readonly environment_targeted_access_control?: {
    readonly environments: readonly { readonly environment_id: string }[];
  } | null;
}

/** @returns the object id of a known environment in its stored case */
export type FindEnvironment = (id: string) => string | undefined;

/** @throws ApiError 400 for unknown roles, more than one role, or contradictory environments */
export function fieldsOf(wanted: WantedProfile): UserFields {
  const { principal, roles, is_disabled } = wanted;
  const environments = environmentsOf(wanted);
  return {
    ...(principal ? { principal_name: storableText(principal) } : {}),
    ...textField('email_address', wanted.email_address),
    ...textField('first_name', wanted.first_name),
    ...textField('last_name', wanted.last_name),
    ...(roles === undefined ? {} : { role_id: onlyRole(roles).id }),
    ...(is_disabled === undefined ? {} : { is_disabled }),
    ...(environments === undefined ? {} : { environments }),
  };
}

/** An empty text changes nothing, because clients of the public API send forms with empty fields; `null` clears. */
function textField<Name extends string>(name: Name, text: string | null | undefined) {
  if (text === undefined || text === '') return {};
  return { [name]: text === null ? null : storableText(text) } as { readonly [N in Name]?: string | null };
}

function onlyRole(roles: readonly number[]): Role {
  if (roles.length > 1) throw apiError('oneRoleOnly');
  const role = roleById(roles[0]);
  if (role === undefined || !role.assignable) throw apiError('unknownRole');
  return role;
}

function environmentsOf({
  all_environments: all,
  environment_targeted_access_control: access,
}: WantedProfile): string[] | null | undefined {
  const ids = access?.environments.map(({ environment_id }) => storableText(environment_id));
  if (all === true && ids !== undefined && ids.length > 0) throw apiError('environmentsContradict');
  if (all === true) return null;
  if (ids !== undefined) return [...new Set(ids)].sort();
  return all === false ? [] : undefined;
}

/**
 * @param before environments of the user: they stay valid if the graph no longer has them
 * @throws ApiError 400 for an unknown environment
 */
export function withKnownEnvironments(
  fields: UserFields,
  find: FindEnvironment,
  before: readonly string[] | null = null,
): UserFields {
  if (!fields.environments) return fields;
  const environments = fields.environments.map((id) => {
    const known = find(id) ?? before?.find((own) => own === id);
    if (known === undefined) throw apiError('environmentUnknown', { environment: id });
    return known;
  });
  return { ...fields, environments: [...new Set(environments)].sort() };
}

/**
 * @returns the id of the new user
 * @throws ApiError 409 if another user has that name or address
 */
export async function insertUser(
  db: Db,
  fields: UserFields & { readonly principal_name: string },
): Promise<string> {
  const id = randomUUID();
  requireLimitable(fields.role_id ?? roleByName('User').id, fields.environments ?? null);
  await lockUsers(db);
  await requireFreeNames(db, id, fields);
  await db
    .insertInto('user_account')
    .values({ id, role_id: roleByName('User').id, ...fields })
    .execute();
  return id;
}

/** @throws ApiError 409 if another user has that name or address, or no administrator would be left */
export async function changeUser(db: Db, before: StoredUser, fields: UserFields): Promise<void> {
  const after = { ...before, ...fields };
  requireLimitable(after.role_id, after.environments);
  await lockUsers(db);
  await requireFreeNames(db, before.id, fields);
  if (isAdministrator(before) && !isAdministrator(after)) await requireAnotherAdministrator(db, before.id);
  await db
    .updateTable('user_account')
    .set({
      // A new provider has another identifier for the user.
      ...(after.sso_provider_id !== before.sso_provider_id && { sso_issuer: null, sso_subject: null }),
      ...fields,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', before.id)
    .execute();
  // They may contain texts of environments that the user can no longer see.
  if (fields.environments !== undefined || fields.role_id !== undefined)
    await db.deleteFrom('query_layer').where('user_id', '=', before.id).execute();
}

/** @throws ApiError 409 if no administrator would be left */
export async function deleteUser(db: Db, user: StoredUser): Promise<void> {
  await lockUsers(db);
  if (isAdministrator(user)) await requireAnotherAdministrator(db, user.id);
  await db.selectFrom('user_account').select('id').where('id', '=', user.id).forUpdate().execute();
  // Uses the locking order of assigning findings, to avoid deadlocks.
  await db
    .selectFrom('finding_owner')
    .select('finding_id')
    .where('user_id', '=', user.id)
    .orderBy('finding_id')
    .forUpdate()
    .execute();
  await db.deleteFrom('user_account').where('id', '=', user.id).execute();
}

/** Serializes changes, so that none counts an administrator that another one removes. */
async function lockUsers(db: Db): Promise<void> {
  await sql`lock table user_account in share row exclusive mode`.execute(db);
}

/** Users can sign in with both, so the name of one user must not be the email address of another. */
async function requireFreeNames(
  db: Db,
  id: string,
  { principal_name, email_address }: Pick<UserFields, 'principal_name' | 'email_address'>,
): Promise<void> {
  if (await isTaken(db, id, principal_name)) throw apiError('userNameTaken');
  if (await isTaken(db, id, email_address)) throw apiError('userEmailTaken');
}

async function isTaken(db: Db, id: string, name: string | null | undefined): Promise<boolean> {
  if (typeof name !== 'string') return false;
  const wanted = name.toLowerCase();
  const { rows } = await sql`
    select from user_account
    where id <> ${id} and (lower(principal_name) = ${wanted} or lower(email_address) = ${wanted})
    limit 1`.execute(db);
  return rows.length > 0;
}

function requireLimitable(roleId: number, environments: readonly string[] | null): void {
  if (environments !== null && roleById(roleId)?.environmentsLimitable !== true)
    throw apiError('environmentsNotLimitable');
}

const ADMINISTRATOR = roleByName('Administrator').id;

const isAdministrator = ({ role_id, is_disabled }: Pick<StoredUser, 'role_id' | 'is_disabled'>): boolean =>
  role_id === ADMINISTRATOR && !is_disabled;

async function requireAnotherAdministrator(db: Db, id: string): Promise<void> {
  const other = await db
    .selectFrom('user_account')
    .select('id')
    .where('role_id', '=', ADMINISTRATOR)
    .where('is_disabled', '=', false)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw apiError('lastAdministrator');
}
