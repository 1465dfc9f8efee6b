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
  /** The operation that answers: a proxy can rewrite the path that the client signed. */
  readonly operationId: string;
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

/** Credentials of a connection that signs in once for many queries. */
export interface Credentials {
  /** `basic`: name and password. `bearer`: the password is the token of a session. */
  readonly scheme: string;
  readonly name: string;
  readonly password: string;
  readonly clientAddress: string;
}

/** The principal with its present rights; none once the token has ended or its owner is disabled. */
export type PrincipalSource = () => Promise<Principal | undefined>;

/** @returns `undefined` for credentials that are not valid */
export type SignIn = (credentials: Credentials) => Promise<PrincipalSource | undefined>;
