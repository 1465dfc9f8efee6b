/** The installed kinds that a definition is validated against. */
import type { FamilyStep, OrderedDerivation } from './derivationOrder.ts';
import { NO_OTHER_NAMES, type OtherNames } from './knownNames.ts';

/** Names that other definitions use. */
export interface InstalledKinds {
  /** Extension names by lower-case namespace. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Extension names by the kinds and finding ids that they declare. */
  readonly owners: ReadonlyMap<string, string>;
  readonly nodeKinds: ReadonlySet<string>;
  readonly relationshipKinds: ReadonlySet<string>;
  readonly environmentKinds: ReadonlySet<string>;
  /** Zone ids by lower-case name. */
  readonly zones: ReadonlyMap<string, number>;
  /** Zone rules of other extensions: zone id and name. */
  readonly zoneRules: ReadonlySet<string>;
  /** Derived relationship kinds, with their inputs. */
  readonly derivations: readonly OrderedDerivation[];
  /** Kinds that are steps of attack paths. */
  readonly steps: readonly FamilyStep[];
  /** Names that queries may use. */
  readonly names: OtherNames;
}

/** Identifies a zone rule among all zones. */
export const zoneRuleKey = (zone: number, name: string): string => `${zone} ${name}`;

export const NOTHING_INSTALLED: InstalledKinds = {
  namespaces: new Map(),
  owners: new Map(),
  nodeKinds: new Set(),
  relationshipKinds: new Set(),
  environmentKinds: new Set(),
  zones: new Map([['tier zero', 1]]),
  zoneRules: new Set(),
  derivations: [],
  steps: [],
  names: NO_OTHER_NAMES,
};
