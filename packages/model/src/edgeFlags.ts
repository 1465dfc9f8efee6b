/**
 * Edge properties that rules and queries read in bulk, as bits stored with every edge in the store and the graph. All other data of an edge
 * stays in the sparse property map of its edge set.
 */
export const EdgeFlag = {
  /** `isacl`: the edge represents an entry of an access list. */
  Acl: 1,
  /** `isinherited`: the entry came from an ancestor. */
  Inherited: 2,
  /** `enforced` on GPLink. */
  Enforced: 4,
  /** `isprimarygroup` on MemberOf. */
  PrimaryGroup: 8,
  /** The property `isacl` is present (false unless `Acl` is set); edges of `sessions` files lack it. */
  HasAcl: 16,
  /** The edge was derived by analysis, not collected. */
  Derived: 32,
} as const;

/** An edge with any direct entry is not inherited; a collected edge is not derived. Other bits are combined. */
export const UNANIMOUS_FLAGS = EdgeFlag.Derived | EdgeFlag.Inherited;
