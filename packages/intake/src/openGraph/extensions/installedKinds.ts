/** The installed kinds, as far as a definition is checked against them. */
import type { FamilyStep, OrderedDerivation } from './derivationOrder.ts';
import { NO_OTHER_NAMES, type OtherNames } from './knownNames.ts';

/** Names that other definitions use. */
export interface InstalledKinds {
  /** Names of extensions by their namespaces in lower case. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Names of extensions by the kinds, and ids of findings, that they declare. */
  readonly owners: ReadonlyMap<string, string>;
  readonly nodeKinds: ReadonlySet<string>;
  readonly relationshipKinds: ReadonlySet<string>;
  readonly environmentKinds: ReadonlySet<string>;
  /** Ids of zones by their names in lower case. */
  readonly zones: ReadonlyMap<string, number>;
  /** Rules of zones that are not of this extension: id of the zone and name. */
  readonly zoneRules: ReadonlySet<string>;
  /** Kinds of relationships that are derived, with their input. */
  readonly derivations: readonly OrderedDerivation[];
  /** Kinds that are steps of attack paths. */
  readonly steps: readonly FamilyStep[];
  /** Names that queries may use. */
  readonly names: OtherNames;
}

/** Names a rule of a zone among all. */
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
