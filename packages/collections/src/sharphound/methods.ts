/** Bits of `meta.methods`: the requested collection methods. Rule: `docs/reference/collections.md#files`. */
export const Method = {
  Group: 1,
  GpoLocalGroup: 4,
  Trusts: 32,
  Acl: 64,
  Container: 128,
  ObjectProps: 512,
  SpnTargets: 8192,
  DcRegistry: 131_072,
  CertServices: 262_144,
} as const;

/** Bits with a known meaning (0 to 18); newer collectors set more. */
export const KNOWN_METHODS = (1n << 19n) - 1n;
