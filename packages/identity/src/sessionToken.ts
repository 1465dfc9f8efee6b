/**
 * Session tokens: JWTs signed with HS256 with a key of the installation. A token only identifies a session; every request checks its row
 * for validity. Rule: `docs/reference/api.md#session-tokens`.
 */
import { errors, jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'HS256';
const SESSION_ID = /^[1-9]\d{0,14}$/;

export interface SessionClaims {
  readonly sessionId: number;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** @param issuer public address of the service @param issuedAt milliseconds since the epoch */
export function signSessionToken(
  key: Uint8Array,
  claims: SessionClaims,
  issuer: string,
  issuedAt: number,
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setJti(String(claims.sessionId))
    .setSubject(claims.userId)
    .setIssuer(issuer)
    .setIssuedAt(Math.floor(issuedAt / 1000))
    .setExpirationTime(Math.floor(claims.expiresAt / 1000))
    .sign(key);
}

/**
 * @returns the claims; `undefined` unless it is an unexpired token of this installation. The issuer is not compared: the key already
 * identifies the installation, and its public address may change.
 */
export async function readSessionToken(
  key: Uint8Array,
  token: string,
  now: number,
): Promise<SessionClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      requiredClaims: ['jti', 'sub', 'exp'],
      currentDate: new Date(now),
    });
    const { jti, sub, exp } = payload;
    if (typeof jti !== 'string' || !SESSION_ID.test(jti) || typeof sub !== 'string') return undefined;
    return { sessionId: Number(jti), userId: sub, expiresAt: exp! * 1000 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
