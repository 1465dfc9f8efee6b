/** Access tokens of platforms, kept until shortly before they end. */
import { importPKCS8, SignJWT } from 'jose';
import type { PlatformHttp } from './http.ts';

const EARLY_MS = 60_000;

type Form = Record<string, string>;

export class AccessTokens {
  readonly #http: PlatformHttp;
  readonly #url: string;
  readonly #form: () => Form | Promise<Form>;
  #token: { readonly value: string; readonly until: number } | undefined;

  /** @param form the form that is posted for a token */
  constructor(http: PlatformHttp, url: string, form: () => Form | Promise<Form>) {
    this.#http = http;
    this.#url = url;
    this.#form = form;
  }

  /** @throws Error in words */
  async get(signal?: AbortSignal): Promise<string> {
    if (this.#token !== undefined && Date.now() < this.#token.until) return this.#token.value;
    const { status, text } = await this.#http.send(
      {
        url: this.#url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(await this.#form()).toString(),
      },
      signal,
    );
    const answer = (status === 200 ? JSON.parse(text) : {}) as { access_token?: string; expires_in?: number };
    if (typeof answer.access_token !== 'string')
      throw new Error(`no access token from ${new URL(this.#url).host}: ${status} ${text.slice(0, 200)}`);
    this.#token = {
      value: answer.access_token,
      until: Date.now() + Number(answer.expires_in ?? 300) * 1000 - EARLY_MS,
    };
    return this.#token.value;
  }

  /** After a 401. */
  forget(): void {
    this.#token = undefined;
  }
}

/** A signed statement of a service account (RFC 7523). @throws Error for an invalid key */
export async function serviceAccountAssertion(
  account: { readonly client_email: string; readonly private_key: string },
  audience: string,
  scope: string,
): Promise<string> {
  const key = await importPKCS8(account.private_key, 'RS256');
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key);
}
