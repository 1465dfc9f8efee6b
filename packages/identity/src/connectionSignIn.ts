/**
 * Signs in connections of protocols that have a user name and a password instead of signed requests: an API token with its key, or a
 * session. A token is named by the user name, or, where a program has a fixed user name, by the part of the password before a colon.
 * Rule: `docs/bolt.md#signing-in`.
 */
import type { Credentials, PrincipalSource, SignIn } from '@clew/common';
import type { RefusalLog } from './authenticator.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Sessions } from './sessions.ts';
import { type ApiTokens, loggedTokenId } from './tokens.ts';

export interface ConnectionSignInParts {
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly log: RefusalLog;
  readonly clock?: Clock;
}

export function connectionSignIn({
  sessions,
  tokens,
  log,
  clock = systemClock,
}: ConnectionSignInParts): SignIn {
  return async (credentials) => {
    if (credentials.scheme === 'bearer') {
      const source: PrincipalSource = () => sessions.principalOf(credentials.password);
      return (await source()) && source;
    }
    const { tokenId, key } = tokenOf(credentials);
    const refuse = (reason: string): undefined => {
      const { clientAddress } = credentials;
      log.info({ tokenId: loggedTokenId(tokenId), clientAddress, reason }, 'refused a sign-in');
    };
    if (credentials.scheme !== 'basic') return refuse('unknown scheme');
    const identity = await tokens.signIn(tokenId, key);
    if (typeof identity === 'string') return refuse(identity);
    return async () => {
      const present = await tokens.identityOf(tokenId);
      if (present?.key !== identity.key) return undefined;
      tokens.noteUse(tokenId, clock.now());
      return present.principal;
    };
  };
}

/** A key has no colon. */
function tokenOf({ name, password }: Credentials): { readonly tokenId: string; readonly key: string } {
  const at = password.indexOf(':');
  const [tokenId, key] = at < 0 ? [name, password] : [password.slice(0, at), password.slice(at + 1)];
  return { tokenId: tokenId.toLowerCase(), key };
}
