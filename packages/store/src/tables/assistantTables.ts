/** Assistants that users sign in to by browser. */
import type { GeneratedId, Timestamp } from './columnTypes.ts';

export interface OAuthClientTable {
  id: string;
  /** The client chooses it. */
  name: string;
  redirect_uris: string[];
  /** The address that registered it. */
  client_address: string;
  created_at: Timestamp;
}

/** A sign-in: the consent of a user to a client. */
export interface OAuthGrantTable {
  id: GeneratedId;
  client_id: string;
  user_id: string;
  redirect_uri: string;
  /** S256 of the verifier that the client keeps. */
  code_challenge: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** Written at most once a minute; null before the first use. */
  last_used_at: Timestamp | null;
}

export interface OAuthTokenTable {
  /** SHA-256: the tokens are random. */
  digest: Buffer;
  grant_id: number;
  kind: 'code' | 'access' | 'refresh';
  expires_at: Timestamp;
  /** When a code or a refresh token was used: it is good once. */
  used_at: Timestamp | null;
}

export interface AssistantTables {
  oauth_client: OAuthClientTable;
  oauth_grant: OAuthGrantTable;
  oauth_token: OAuthTokenTable;
}
