/**
 * Finds the principal of a request: reads the `Authorization` header and verifies bearer tokens and signatures. Rule:
 * `docs/reference/api.md#session-tokens` and `docs/reference/api.md#signed-requests`. Every refusal is 401 with
 * context `login`. All refusals of signed requests are identical, so that they reveal nothing; the log has the
 * reason.
 */
import type { OperationId } from '@clew/api';
import {
  ANONYMOUS,
  type ApiError,
  type Authentication,
  type AuthenticationRequest,
  type Authenticator,
  apiError,
  type BodyVerifier,
  type Principal,
} from '@clew/common';
import { type Clock, systemClock } from './clock.ts';
import { type AssistantGrants, isAccessToken } from './oauth/grants.ts';
import { beginSignature, parseRequestDate, parseSignature, signatureFits } from './requestSignature.ts';
import type { SeenSignatures } from './seenSignatures.ts';
import type { Sessions } from './sessions.ts';
import { type ApiTokens, isSameSecret, isTokenId, loggedTokenId } from './tokens.ts';

const CLOCK_WINDOW_MS = 3600_000;
/** Maximum characters of an unknown scheme in the answer. */
const SHOWN_SCHEME_LENGTH = 40;

export interface AuthenticatorParts {
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly assistants: Pick<AssistantGrants, 'principalOf'>;
  readonly signatures: SeenSignatures;
  /** Scheme words of signed requests. */
  readonly schemes: readonly string[];
  readonly log: RefusalLog;
  /** Bearer token for `/metrics`. */
  readonly metricsToken?: string;
  readonly clock?: Clock;
}

export interface RefusalLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const schemes = new Set(parts.schemes.map((scheme) => scheme.toLowerCase()));
  return {
    async begin(request) {
      const header = request.headers.authorization;
      if (header === undefined) return { principal: ANONYMOUS };
      const words = header.split(' ');
      if (words.length !== 2) return { refusal: apiError('malformedAuthorization') };
      const [scheme, credential] = words;
      if (scheme.toLowerCase() === 'bearer') {
        if (request.operationId === OF_METRICS && isMetricsToken(parts, credential))
          return { principal: METRICS_READER };
        const isOfAssistant = request.operationId === OF_ASSISTANTS;
        if (isOfAssistant && isAccessToken(credential)) {
          const principal = await parts.assistants.principalOf(credential);
          return principal === undefined ? { refusal: apiError('tokenAuthorizationFailed') } : { principal };
        }
        const token = API_TOKEN.exec(isOfAssistant ? credential : '');
        if (token !== null) return beginToken(parts, request, token);
        return beginSession(parts, credential);
      }
      if (schemes.has(scheme.toLowerCase())) return beginSigned(parts, request, credential);
      return {
        refusal: apiError('unknownAuthorizationScheme', { scheme: scheme.slice(0, SHOWN_SCHEME_LENGTH) }),
      };
    },
  };
}

const OF_METRICS: OperationId = 'GetMetrics';
/** The only operation over HTTP that accepts the key of an API token itself: programs of assistants send one fixed header. */
const OF_ASSISTANTS: OperationId = 'SendMcpMessage';
/** Id and key, joined by a dot. */
const API_TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9+/]{86}==)$/i;

const METRICS_READER: Principal = {
  kind: 'client',
  clientId: 'metrics',
  name: 'metrics',
  permissions: new Set(['app/ReadAppConfig']),
  tokenId: '',
};

const isMetricsToken = ({ metricsToken }: AuthenticatorParts, credential: string): boolean =>
  metricsToken !== undefined && isSameSecret(metricsToken, credential);

async function beginToken(
  { tokens, log }: AuthenticatorParts,
  { clientAddress }: AuthenticationRequest,
  [, id = '', key = '']: RegExpExecArray,
): Promise<Authentication> {
  const tokenId = id.toLowerCase();
  const identity = await tokens.signIn(tokenId, key);
  if (typeof identity !== 'string') return { principal: identity.principal };
  log.info({ tokenId, clientAddress, reason: identity }, 'refused a token');
  return { refusal: apiError('tokenAuthorizationFailed') };
}

async function beginSession({ sessions }: AuthenticatorParts, token: string): Promise<Authentication> {
  const principal = await sessions.principalOf(token);
  return principal === undefined ? { refusal: apiError('tokenAuthorizationFailed') } : { principal };
}

/** Checks the header of a signed request; the verifier checks the signature after the whole body. */
async function beginSigned(
  parts: AuthenticatorParts,
  request: AuthenticationRequest,
  credential: string,
): Promise<Authentication> {
  const { tokens, signatures, log, clock = systemClock } = parts;
  const tokenId = credential.toLowerCase();
  const refuse = (reason: string): ApiError => {
    log.info(
      { tokenId: loggedTokenId(tokenId), clientAddress: request.clientAddress, reason },
      'refused a signature',
    );
    return apiError('unauthorized');
  };
  const arrival = clock.now();
  const date = parseRequestDate(request.headers.requestdate ?? '');
  const signature = parseSignature(request.headers.signature ?? '');
  if (!isTokenId(tokenId)) return { refusal: refuse('malformed token id') };
  if (date === undefined) return { refusal: refuse('missing or malformed date') };
  if (signature === undefined) return { refusal: refuse('missing or malformed signature') };
  if (Math.abs(arrival - date.instant) > CLOCK_WINDOW_MS)
    return { refusal: refuse('date outside of the window') };
  const identity = await tokens.identityOf(tokenId);
  if (identity === undefined) return { refusal: refuse('unknown token or disabled owner') };

  const chain = beginSignature(identity.key, request.method, request.rawTarget, date.hour);
  const body: BodyVerifier = {
    update: (chunk) => void chain.update(chunk),
    async finish() {
      if (!signatureFits(chain, signature)) return refuse('signature does not match');
      // The token may be revoked while a long body arrives.
      if ((await tokens.identityOf(tokenId))?.key !== identity.key) return refuse('token was revoked');
      if (!(await signatures.admit(signature, date.instant, arrival))) {
        return refuse('signature was used more than two hours ago');
      }
      tokens.noteUse(tokenId, arrival);
      return undefined;
    },
  };
  return { principal: identity.principal, body };
}
