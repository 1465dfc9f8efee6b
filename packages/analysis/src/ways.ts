/**
 * Ways: the reasons for derived edges, in a form that shows what removes them. An edge exists as long as one of its ways does, and a way as
 * long as nothing that it needs is removed. Rules name their ways in the form in which they derive: for many starts and ends at once.
 * Rights that are held through groups, and by any of several holders, are named as such (`HeldRight`), so that a plan knows every holder
 * that has to lose them.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';

/** Settings that can be changed, each at one object. `plan/settings.ts` has the new values. */
export type SettingName =
  | 'template-subject'
  | 'template-approval'
  | 'template-security-extension'
  | 'authority-san-flag'
  | 'authority-web-enrollment'
  | 'authority-rpc-encryption'
  | 'authority-extensions'
  | 'controllers-certificate-binding'
  | 'controllers-certificate-mapping'
  | 'controllers-ldap-signing'
  | 'controllers-channel-binding'
  | 'controllers-netlogon-exceptions'
  | 'computer-smb-signing'
  | 'domain-smb-signing'
  | 'domain-computer-quota';

export type Need =
  /** A value at an object; for settings of controllers, the domain represents them. */
  { readonly setting: SettingName; readonly node: number } | RelationNeed;

/** One relation. */
export interface RelationNeed {
  readonly start: number;
  readonly kind: EdgeKindName;
  readonly end: number;
}

/**
 * A right on a node that is held by a relation of any of these kinds, or as a member at any depth of a holder. Every relation is an
 * alternative to all others.
 */
export interface HeldRight {
  readonly kinds: readonly EdgeKindName[];
  readonly node: number;
  /** Whether principals that are not members hold it, too, where everybody is a member: at any depth, or as a direct member. */
  readonly everybody: 'nested' | 'direct' | 'no';
  /** Principals that hold it by a relation of their own; everyone unless given. */
  readonly among?: NodeSet;
}

export interface Way {
  readonly kind: EdgeKindName;
  /** The starts as derived. With `rights`, more starts appear when one of these loses its rights. */
  readonly starts: Iterable<number>;
  readonly ends: readonly number[];
  readonly needs: readonly Need[];
  /**
   * Each end has this relation from the node, in addition to the needs: a list of many ends in one place is one way. Only of ways with one
   * start and no rights of ends.
   */
  readonly toEnd?: { readonly start: number; readonly kind: EdgeKindName };
  /** A start has each of these. The starts are computed from them. */
  readonly rights?: readonly HeldRight[];
  /** Nodes that may not start although they have all rights. */
  readonly exceptStarts?: NodeSet;
  /** A start controls one of these by one of the relations, and that node has all of `rights` in its place. */
  readonly victims?: { readonly nodes: NodeSet; readonly control: readonly EdgeKindName[] };
  /** Each end has each of these. */
  readonly endRights?: readonly HeldRight[];
  /** Requires that at least one of the nodes, except this one, has the right. */
  readonly someone?: { readonly nodes: NodeSet; readonly except: number; readonly right: HeldRight };
  /** There is no edge yet: it appears when a setting is changed that another way of the same starts depends on. */
  readonly isHidden?: boolean;
}

/** @returns all that the way needs for this end, except rights */
export const needsOf = ({ needs, toEnd }: Way, end: number): readonly Need[] =>
  toEnd === undefined ? needs : [...needs, { ...toEnd, end }];
