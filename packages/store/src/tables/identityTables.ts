/** Users, their credentials, and the log of their actions. */
import type { Generated } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface UserAccountTable {
  id: string;
  /** Unique and case-insensitive, like the email address. */
  principal_name: string;
  email_address: string | null;
  first_name: string | null;
  last_name: string | null;
  /** Number of a role of `@clew/model`, which defines its permissions. */
  role_id: number;
  is_disabled: Generated<boolean>;
  eula_accepted: Generated<boolean>;
  /** Environments the user may see; null for all of them. */
  environments: string[] | null;
  sso_provider_id: number | null;
  /** The user's identity at the provider; null before the first sign-in through it. */
  sso_issuer: string | null;
  sso_subject: string | null;
  last_login: Timestamp | null;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** A password; SSO users have none. */
export interface AuthSecretTable {
  id: GeneratedId;
  user_id: string;
  /** PHC text. */
  digest: string;
  digest_method: string;
  expires_at: Timestamp;
  /** Secret of an authenticator, encrypted for the purpose `totp:<user id>`. */
  sealed_totp: Buffer | null;
  /** False until the enrollment receives its first one-time password. */
  totp_activated: Generated<boolean>;
  /** The last 30-second step for which a one-time password was used. */
  totp_step: BigInteger | null;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface UserSessionTable {
  id: GeneratedId;
  user_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
  client_address: Generated<string>;
  user_agent: Generated<string>;
  /** `secret`, or the name of an SSO provider. */
  login_method: Generated<string>;
}

/** Replaces a one-time password, once. */
export interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256: the codes are random. */
  digest: Buffer;
}

/** Belongs to a user or to a collector client, never to both. */
export interface AuthTokenTable {
  id: string;
  user_id: string | null;
  client_id: string | null;
  name: string | null;
  /** The key, encrypted for the purpose `auth_token:<id>`. */
  sealed_key: Buffer;
  hmac_method: string;
  /** Null if it does not expire. */
  expires_at: Timestamp | null;
  /** Updated regularly, not with each request. */
  last_access: Timestamp | null;
  created_by: string | null;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** Signatures and their first use; kept as long as they could be replayed. */
export interface SeenSignatureTable {
  /** First half of the signature. */
  digest: Buffer;
  first_seen: Timestamp;
}

export type AuditStatus = 'intent' | 'success' | 'failure';

export interface AuditLogTable {
  id: GeneratedId;
  created_at: GeneratedTimestamp;
  actor_id: string | null;
  actor_name: string;
  actor_email: string | null;
  action: string;
  fields: Json<Readonly<Record<string, unknown>>>;
  request_id: string | null;
  source_ip_address: string;
  status: AuditStatus;
  /** Links the intent of an action with its outcome. */
  commit_id: string;
}

/** A view of the service as another user: who began it with which session or token, and as whom. Ended ones stay for a while. */
export interface ViewAsTable {
  id: string;
  viewer_id: string;
  viewer_name: string;
  viewer_email: string | null;
  session_id: number | null;
  token_id: string | null;
  user_id: string;
  user_name: string;
  client_address: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
}

export interface IdentityTables {
  user_account: UserAccountTable;
  auth_secret: AuthSecretTable;
  user_session: UserSessionTable;
  recovery_code: RecoveryCodeTable;
  auth_token: AuthTokenTable;
  seen_signature: SeenSignatureTable;
  audit_log: AuditLogTable;
  view_as: ViewAsTable;
}
