/** Access tokens of platforms, cached until shortly before they expire. */
import { importPKCS8, SignJWT } from 'jose';
import Type from 'typebox';
import { parsedAs } from '../schemaFaults.ts';
import type { PlatformHttp } from './http.ts';

const EARLY_MS = 60_000;
const DEFAULT_LIFE_S = 300;

const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  /** Lifetime in seconds; some servers send a text. */
  expires_in: Type.Optional(Type.Unknown()),
});

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

  /** @throws Error with an explanation */
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
    const answer = status === 200 ? parsedAs(TokenAnswer, text) : undefined;
    if (answer === undefined)
      throw new Error(`no access token from ${new URL(this.#url).host}: ${status} ${text.slice(0, 200)}`);
    const seconds = Number(answer.expires_in);
    const life = seconds > 0 ? seconds : DEFAULT_LIFE_S;
    this.#token = { value: answer.access_token, until: Date.now() + life * 1000 - EARLY_MS };
    return this.#token.value;
  }

  /** Called after a 401. */
  forget(): void {
    this.#token = undefined;
  }
}

/** Signs an assertion of a service account (RFC 7523). @throws Error for an invalid key */
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
