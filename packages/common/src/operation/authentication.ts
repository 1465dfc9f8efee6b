/**
 * The interface by which the pipeline authenticates a request. Identity implements `Authenticator`; the pipeline reads the bytes.
 *
 * A signature covers the body, and a body may be larger than memory. So authentication has two steps: `begin` checks the head of the
 * request (scheme, token, date, user), then the pipeline passes every byte of the body **as received** (still compressed) to `body.update`,
 * and calls `body.finish` at its end. Handlers of JSON bodies run after `finish`; a streaming handler reads a stream that ends with the
 * error of `finish`, so it must commit nothing before the end of its stream.
 */

import type { ApiError } from './apiError.ts';
import type { Principal } from './principal.ts';

export interface AuthenticationRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query byte for byte from the request line, without scheme and host. */
  readonly rawTarget: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly clientAddress: string;
  /** Aborts with the request. */
  readonly signal: AbortSignal;
}

export interface BodyVerifier {
  update(chunk: Uint8Array): void;
  /** Called exactly once, even without a body. @returns the error; `undefined` if the signature is valid */
  finish(): Promise<ApiError | undefined>;
}

export type Authentication =
  | { readonly principal: Principal; readonly body?: BodyVerifier }
  /** 401 (or 403 for a disabled user): the answer; the handler does not run. */
  | { readonly refusal: ApiError };

export interface Authenticator {
  /** Without an `Authorization` header, the principal is anonymous; the route decides whether it is permitted. */
  begin(request: AuthenticationRequest): Promise<Authentication>;
}
