/** Connects with the API token in the environment. */
import { ClewClient } from '@clew/client';

export function connect(): ClewClient {
  const { CLEW_URL, CLEW_TOKEN_ID, CLEW_TOKEN_KEY } = process.env;
  if (CLEW_TOKEN_ID === undefined || CLEW_TOKEN_KEY === undefined)
    throw new Error('Set CLEW_TOKEN_ID and CLEW_TOKEN_KEY; "clew token add NAME" creates a token.');
  return new ClewClient({
    url: CLEW_URL ?? 'http://127.0.0.1:8080',
    credentials: { tokenId: CLEW_TOKEN_ID, tokenKey: CLEW_TOKEN_KEY },
  });
}
