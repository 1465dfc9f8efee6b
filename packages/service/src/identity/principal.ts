/** Who makes a request, as far as handlers need to know. Made by authentication only. */

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: string;
  /** `authority/Name` texts. */
  readonly permissions: ReadonlySet<string>;
  /** Environments the user may see; `null` for all of them. */
  readonly environments: ReadonlySet<string> | null;
  /** Session of a bearer token; absent for signed requests. */
  readonly sessionId?: number;
  /** API token of a signed request. */
  readonly tokenId?: string;
}

/** A collector: owns one API token and may only do its own work. */
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
