/** The principal of a request, with the data that handlers need. Only authentication creates it. */
import { type ApiError, apiError } from './apiError.ts';

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: string;
  /** `authority/Name` texts. */
  readonly permissions: ReadonlySet<string>;
  /** Environments that the user may see; `null` for all. */
  readonly environments: ReadonlySet<string> | null;
  /** Session of a bearer token; absent for signed requests. */
  readonly sessionId?: number;
  /** API token of a signed request. */
  readonly tokenId?: string;
  /** The administrator who sees the service as this user. Only reading is permitted then. */
  readonly viewedBy?: Viewer;
}

export interface Viewer {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly viewId: string;
}

/** A collector: it owns one API token and may only do its own work. */
export interface ClientPrincipal {
  readonly kind: 'client';
  readonly clientId: string;
  readonly name: string;
  readonly permissions: ReadonlySet<string>;
  readonly tokenId: string;
}

export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
  readonly permissions: ReadonlySet<string>;
}

export type Principal = UserPrincipal | ClientPrincipal | AnonymousPrincipal;

export const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous', permissions: new Set() };

/** Whether an administrator sees the service as this user: private things of the user are not shown then. */
export const isViewed = ({ viewedBy }: UserPrincipal): boolean => viewedBy !== undefined;

/** Identifies who asks, for limits; all anonymous principals share one id. */
export function principalId(principal: Principal): string {
  if (principal.kind === 'user') return principal.viewedBy?.userId ?? principal.userId;
  return principal.kind === 'client' ? principal.clientId : '';
}

/** For operations that need a user. @throws ApiError 401 for an anonymous principal, 400 for a collector */
export function requireUser(principal: Principal): UserPrincipal {
  if (principal.kind === 'anonymous') throw apiError('notAuthenticated');
  if (principal.kind === 'client') throw apiError('noAssociatedUser');
  return principal;
}

/**
 * Selects the error for a missing object. Users with access to only some environments receive the same error as for objects of other
 * environments, so that the answer does not reveal which objects exist.
 */
export function missingFor({ environments }: UserPrincipal, missing: ApiError, foreign: ApiError): ApiError {
  return environments === null ? missing : foreign;
}

/**
 * Protects data that is not divided by environments: runs of collectors and their logs, receivers of changes.
 * @throws ApiError 403 for users who are limited to some environments
 */
export function requireWholeView({ principal }: { readonly principal: Principal }): UserPrincipal {
  const user = requireUser(principal);
  if (user.environments !== null) throw apiError('environmentForbidden');
  return user;
}
