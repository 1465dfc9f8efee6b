/**
 * How the pipeline asks who makes a request. Identity implements `Authenticator`; the pipeline owns the bytes.
 *
 * A signature covers the body, and a body may be larger than memory. So authentication has two steps: `begin` judges
 * the head of the request (scheme, token, date, user), then the pipeline feeds every byte of the body **as it came
 * over the wire** (still compressed) to `body.update`, and asks `body.finish` at its end. Handlers of JSON bodies run
 * after `finish`; a streaming handler reads a stream that ends with the error of `finish`, so it must commit nothing
 * before the end of its stream.
 */

import type { ApiError } from './apiError.ts';
import type { Principal } from './principal.ts';

export interface AuthenticationRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query byte for byte from the request line; scheme and host are cut off. */
  readonly rawTarget: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly clientAddress: string;
  /** Aborts with the request. */
  readonly signal: AbortSignal;
}

export interface BodyVerifier {
  update(chunk: Uint8Array): void;
  /** Called exactly once, also without a body. @returns the refusal, or nothing when the signature fits. */
  finish(): Promise<ApiError | undefined>;
}

export type Authentication =
  | { readonly principal: Principal; readonly body?: BodyVerifier }
  /** 401 (or 403 for a disabled user): answered as it is; the handler does not run. */
  | { readonly refusal: ApiError };

export interface Authenticator {
  /** Without an `Authorization` header the principal is the anonymous one; the route decides whether it may pass. */
  begin(request: AuthenticationRequest): Promise<Authentication>;
}
