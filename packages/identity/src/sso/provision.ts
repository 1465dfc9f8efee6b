/** Finds the user for the claims of a provider: known users sign in, and unknown ones are created if the provider may do so. */

import { storableText } from '@clew/common';
import { type RoleName, roleByName } from '@clew/model';
import type { Db, UserAccountTable } from '@clew/store';
import type { Selectable } from 'kysely';
import { changeUser, insertUser } from '../users/userWrites.ts';
import { findUserForLogin } from '../users.ts';
import { type Claims, FAILURE, SignInError } from './claims.ts';
import type { StoredProvider } from './providers.ts';

/** Role names of providers. */
const ROLE_CLAIMS: Readonly<Record<string, RoleName>> = {
  'bh-administrator': 'Administrator',
  'bh-power-user': 'Power User',
  'bh-auditor': 'Auditor',
  'bh-user': 'User',
  'bh-read-only': 'Read-Only',
  'bh-upload-only': 'Upload-Only',
};

const NO_LAST_NAME = 'Last name not found';

/**
 * @returns the user, with the role from the provider if it may set roles @throws SignInError for a user of another
 * provider, a user with a password, or an unknown user that may not be created
 */
export async function userOf(
  db: Db,
  provider: StoredProvider,
  claims: Claims,
): Promise<Selectable<UserAccountTable>> {
  const email = storableText(claims.email);
  const subject = subjectColumns(claims);
  const known = subject && (await userBySubject(db, provider.id, subject));
  const found = known ?? (await findUserForLogin(db, email))?.user;
  if (found === undefined) {
    if (!provider.auto_provision)
      throw notAllowed('the user is unknown, and the provider does not create users');
    const id = await insertUser(db, {
      principal_name: email,
      email_address: email,
      first_name: storableText(claims.firstName ?? email).slice(0, 500),
      last_name: storableText(claims.lastName ?? NO_LAST_NAME).slice(0, 500),
      sso_provider_id: provider.id,
      role_id: roleIdOf(provider, claims),
      ...subject,
    });
    return stored(db, id);
  }
  const user = await linked(db, found, provider, subject);
  if (user.sso_provider_id !== provider.id)
    throw notAllowed('the user signs in with another provider or a password');
  if (user.is_disabled) throw new SignInError('user disabled', 'the user is disabled');
  const role_id = roleIdOf(provider, claims);
  if (provider.auto_provision && provider.role_provision && role_id !== user.role_id) {
    // A role that sees everything cannot be limited to environments.
    await changeUser(db, user, { role_id, ...(mayBeLimited(role_id) ? {} : { environments: null }) });
    return stored(db, user.id);
  }
  return user;
}

type SubjectColumns = { readonly sso_issuer: string; readonly sso_subject: string };

function subjectColumns({ subject }: Claims): SubjectColumns | undefined {
  if (subject === undefined) return undefined;
  return { sso_issuer: storableText(subject.issuer), sso_subject: storableText(subject.id) };
}

function userBySubject(
  db: Db,
  providerId: number,
  { sso_issuer, sso_subject }: SubjectColumns,
): Promise<Selectable<UserAccountTable> | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where('sso_provider_id', '=', providerId)
    .where('sso_issuer', '=', sso_issuer)
    .where('sso_subject', '=', sso_subject)
    .executeTakeFirst();
}

/**
 * The email address links a user only at the first sign-in through the provider. After that, the subject identifies
 * the user. @throws SignInError for another subject with the address of a user
 */
async function linked(
  db: Db,
  user: Selectable<UserAccountTable>,
  provider: StoredProvider,
  subject: SubjectColumns | undefined,
): Promise<Selectable<UserAccountTable>> {
  if (user.sso_provider_id !== provider.id || subject === undefined) return user;
  if (user.sso_subject === null) {
    await changeUser(db, user, subject);
    return stored(db, user.id);
  }
  if (user.sso_subject !== subject.sso_subject || user.sso_issuer !== subject.sso_issuer)
    throw notAllowed('the address belongs to a user with another name at the provider');
  return user;
}

const notAllowed = (reason: string): SignInError => new SignInError(FAILURE.notAllowed, reason);

const LIMITABLE: ReadonlySet<number> = new Set([roleByName('User').id, roleByName('Read-Only').id]);
const mayBeLimited = (roleId: number): boolean => LIMITABLE.has(roleId);

/** A single claim that names a role sets it; none or several give the default role. */
function roleIdOf(provider: StoredProvider, { roles }: Claims): number {
  if (!provider.role_provision) return provider.default_role_id;
  const names = roles.map((role) => role.toLowerCase().replaceAll(' ', '-'));
  const known = [...new Set(names)].filter((name) => Object.hasOwn(ROLE_CLAIMS, name));
  return known.length === 1 ? roleByName(ROLE_CLAIMS[known[0]]).id : provider.default_role_id;
}

function stored(db: Db, id: string): Promise<Selectable<UserAccountTable>> {
  return db.selectFrom('user_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
