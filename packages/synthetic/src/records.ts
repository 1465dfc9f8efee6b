/**
 * The parts of SharpHound format 6 that several object types share. Rule: `docs/reference/collections.md#files` and
 * `docs/reference/collections.md#objects`.
 */

export interface Principal {
  readonly ObjectIdentifier: string;
  readonly ObjectType: string;
}

export interface Ace {
  readonly PrincipalSID: string;
  readonly PrincipalType: string;
  readonly RightName: string;
  readonly IsInherited: boolean;
  /** Empty unless inherited; otherwise, it identifies the ancestor's entry. */
  readonly InheritanceHash: string;
}

/** One element of `data`; each type adds its own members. */
export interface CollectedObject {
  readonly ObjectIdentifier: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly Aces: readonly Ace[];
  readonly [member: string]: unknown;
}

export const principal = (ObjectType: string, ObjectIdentifier: string): Principal => ({
  ObjectIdentifier,
  ObjectType,
});

export const user = (id: string): Principal => principal('User', id);
export const group = (id: string): Principal => principal('Group', id);
export const computer = (id: string): Principal => principal('Computer', id);

export function ace(holder: Principal, right: string, inheritanceHash = ''): Ace {
  return {
    PrincipalSID: holder.ObjectIdentifier,
    PrincipalType: holder.ObjectType,
    RightName: right,
    IsInherited: inheritanceHash !== '',
    InheritanceHash: inheritanceHash,
  };
}

/** A collector's report of an answered remote query. */
export const collected = <Answer extends object>(answer: Answer) => ({
  ...answer,
  Collected: true,
  FailureReason: null,
});

/** The report of the same query to a machine that did not answer. */
export const notCollected = <Answer extends object>(answer: Answer) => ({
  ...answer,
  Collected: false,
  FailureReason: 'Target is unreachable: PortNotOpen',
});
