/**
 * Ways: the causes of derived edges, in a form that shows what removes them. An edge exists as long as one of its ways does, and a way as
 * long as none of its needs is removed. Rules list ways in bulk, for many starts and ends at once. Rights held through groups or by any of
 * several holders are described as such (`HeldRight`), so that a plan knows every holder that has to lose them.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';

/** Settings that can be changed, each on one object. `planning/src/repairs/settings.ts` has the new values. */
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
  /** A value of an object; for settings of controllers, the domain represents them. */
  { readonly setting: SettingName; readonly node: number } | RelationNeed;

/** One relation. */
export interface RelationNeed {
  readonly start: number;
  readonly kind: EdgeKindName;
  readonly end: number;
}

/**
 * A right on a node, held through a relation of any of these kinds, or as a direct or indirect member of a holder. All relations are
 * alternatives.
 */
export interface HeldRight {
  readonly kinds: readonly EdgeKindName[];
  readonly node: number;
  /** If everybody is a member, whether principals that are not members hold the right as well: at any depth, or only as direct members. */
  readonly everybody: 'nested' | 'direct' | 'no';
  /** Principals whose own relation gives the right; default everyone. */
  readonly among?: NodeSet;
}

export interface Way {
  readonly kind: EdgeKindName;
  /** The derived starts. With `rights`, further starts appear when one of these loses its rights. */
  readonly starts: Iterable<number>;
  readonly ends: readonly number[];
  readonly needs: readonly Need[];
  /**
   * Each end also needs this relation from the node, so that many ends in one place form one way. Only for ways with one start and without
   * rights of ends.
   */
  readonly toEnd?: { readonly start: number; readonly kind: EdgeKindName };
  /** A start has each of these rights. The starts are computed from them. */
  readonly rights?: readonly HeldRight[];
  /** Nodes that cannot be a start even if they have all rights. */
  readonly exceptStarts?: NodeSet;
  /** A start controls one of these nodes through one of the relations, and that node has all of `rights` instead. */
  readonly victims?: { readonly nodes: NodeSet; readonly control: readonly EdgeKindName[] };
  /** Each end has each of these rights. */
  readonly endRights?: readonly HeldRight[];
  /** At least one of the nodes, except this one, must have the right. */
  readonly someone?: { readonly nodes: NodeSet; readonly except: number; readonly right: HeldRight };
  /** The edge does not exist yet: it appears when a setting changes on which another way of the same starts depends. */
  readonly isHidden?: boolean;
}

/** @returns everything that the way needs for this end, except rights */
export const needsOf = ({ needs, toEnd }: Way, end: number): readonly Need[] =>
  toEnd === undefined ? needs : [...needs, { ...toEnd, end }];
