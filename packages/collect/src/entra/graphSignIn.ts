/**
 * Tokens for Microsoft Graph (Microsoft identity platform): for an application with a certificate or a secret, or a user with a device code
 * to try it. A refused sign-in is final.
 */
import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { askText, objectIn } from './graphRequest.ts';

export interface GraphPlaces {
  /** `https://graph.microsoft.com`, or the address in another cloud. */
  readonly graph: string;
  /** `https://login.microsoftonline.com`. */
  readonly login: string;
}

export type GraphCredentials =
  | { readonly kind: 'secret'; readonly secret: string }
  /** Both in PEM format. */
  | { readonly kind: 'certificate'; readonly certificate: Buffer; readonly key: Buffer }
  | {
      readonly kind: 'deviceCode';
      /** Called with the text that tells the user where to enter the code. */
      readonly onCode: (message: string) => void;
    };

export interface GraphAccount {
  /** Id or domain of the tenant. */
  readonly tenant: string;
  readonly clientId: string;
  readonly credentials: GraphCredentials;
  /** Cancels all requests and pauses. */
  readonly signal?: AbortSignal;
}

export interface Token {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  /** Renews the sign-in of a user without another prompt. */
  readonly refresh: string | undefined;
}

interface TokenAnswer {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly error?: string;
  readonly error_description?: string;
}

const MAX_DEVICE_MS = 15 * 60_000;
const JWT_SECONDS = 540;

/** @throws Error with the message of the identity platform */
export async function requestToken(
  places: GraphPlaces,
  account: GraphAccount,
  refresh?: string,
): Promise<Token> {
  const { credentials, clientId } = account;
  const scope = `${places.graph}/.default`;
  if (credentials.kind === 'deviceCode') {
    const personal = `${scope} offline_access`;
    return refresh === undefined
      ? tokenByCode(places, account, personal, credentials.onCode)
      : accepted(
          await post(places, account, 'token', {
            grant_type: 'refresh_token',
            refresh_token: refresh,
            client_id: clientId,
            scope: personal,
          }),
        );
  }
  const proof: Readonly<Record<string, string>> =
    credentials.kind === 'secret'
      ? { client_secret: credentials.secret }
      : {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion(places, account, credentials),
        };
  return accepted(
    await post(places, account, 'token', {
      grant_type: 'client_credentials',
      client_id: clientId,
      scope,
      ...proof,
    }),
  );
}

async function post(
  { login }: GraphPlaces,
  { tenant, signal }: GraphAccount,
  what: 'token' | 'devicecode',
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer & Readonly<Record<string, unknown>>> {
  const url = new URL(`${login}/${encodeURIComponent(tenant)}/oauth2/v2.0/${what}`);
  const { status, text } = await askText(url, { method: 'POST', body: new URLSearchParams(form) }, signal);
  const answer = objectIn(text);
  return Object.keys(answer).length > 0 ? answer : { error: `status ${status}` };
}

function accepted(answer: TokenAnswer): Token {
  if (typeof answer.access_token !== 'string') throw refused(answer);
  return {
    value: answer.access_token,
    endsAt: Date.now() + (answer.expires_in ?? 3600) * 1000,
    refresh: answer.refresh_token,
  };
}

/** The first line contains the error; the others are request ids. */
const refused = ({ error, error_description }: TokenAnswer): Error =>
  new Error(
    `sign-in at Entra ID: ${error_description?.split(/[\r\n]/)[0].slice(0, 300) ?? error ?? 'no token was returned'}`,
  );

async function tokenByCode(
  places: GraphPlaces,
  account: GraphAccount,
  scope: string,
  onCode: (message: string) => void,
): Promise<Token> {
  const { clientId } = account;
  const begun = await post(places, account, 'devicecode', { client_id: clientId, scope });
  if (typeof begun.device_code !== 'string') throw refused(begun);
  onCode(
    String(begun.message ?? `Open ${String(begun.verification_uri)} and enter ${String(begun.user_code)}`),
  );
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  const form = { grant_type: grant, client_id: clientId, device_code: begun.device_code };
  const asked = Number(begun.interval);
  let seconds = asked >= 1 && asked <= 60 ? asked : 5;
  for (const until = Date.now() + MAX_DEVICE_MS; Date.now() < until; ) {
    await setTimeout(seconds * 1000, undefined, { signal: account.signal });
    const answer = await post(places, account, 'token', form);
    if (answer.error === 'slow_down') seconds += 5;
    else if (answer.error !== 'authorization_pending') return accepted(answer);
  }
  throw new Error('sign-in at Entra ID: no one entered the code in time');
}

/** An assertion signed with the key of the certificate (RFC 7523). */
function assertion(
  { login }: GraphPlaces,
  { tenant, clientId }: GraphAccount,
  { certificate, key }: { readonly certificate: Buffer; readonly key: Buffer },
): string {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const thumbprint = createHash('sha256').update(new X509Certificate(certificate).raw).digest('base64url');
  const head = encoded({ alg: 'RS256', typ: 'JWT', 'x5t#S256': thumbprint });
  const claims = encoded({
    aud: `${login}/${tenant}/oauth2/v2.0/token`,
    ...{ iss: clientId, sub: clientId, jti: randomUUID(), nbf: now - 60, exp: now + JWT_SECONDS },
  });
  const signature = sign('RSA-SHA256', Buffer.from(`${head}.${claims}`), createPrivateKey(key));
  return `${head}.${claims}.${signature.toString('base64url')}`;
}
