/** Facts that a change of the directory needs: ids of both ends, places, hosts. Scripts and steps are made of these. */
import type { JsonValue } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { Protection } from './protectedEntries.ts';
import type { RepairKind } from './repairs.ts';

/** An object by its ids; names are for people only. */
export interface KitObject {
  /** The collected id; that of a built-in group has the domain before the SID. */
  readonly objectId: string;
  /** Kind of node; empty where only a definition of another platform names it. */
  readonly kind: string;
  readonly name: string;
  /** `S-1-...` without the domain before it; null for objects that have none, or are of Entra ID. */
  readonly sid: string | null;
  /** In lower case; null where the collected id is a SID. */
  readonly guid: string | null;
  /** DNS name and SID of the domain of Active Directory; null for objects of others, and where it was not collected. */
  readonly domain: { readonly sid: string; readonly name: string } | null;
  /** Id of the tenant of Entra ID, in lower case. */
  readonly tenant: string | null;
}

/** A relationship that the change removes, as it was collected. */
export interface KitRelation {
  readonly source: KitObject;
  readonly relation: EdgeKindName;
  readonly target: KitObject;
  readonly isInherited: boolean;
}

/** A property that the change writes. */
export interface KitValue {
  readonly object: KitObject;
  readonly property: string;
  /** Null where it was not collected. */
  readonly now: JsonValue;
  readonly wanted: JsonValue;
}

export interface KitSession {
  readonly computer: KitObject;
  readonly account: KitObject;
}

/** A fact that may not have been collected: then a sentence says what is missing. */
export type Known<Value> = { readonly value: Value } | { readonly missing: string };

/** Facts in addition to the two ends, by their name. */
export interface KitFactValues {
  /** The computer on which something is changed. */
  readonly host: KitObject;
  /** Domain controllers that the change covers. */
  readonly controllers: readonly KitObject[];
  /** The container whose entry an object inherits; null where no removed entry is inherited. */
  readonly container: KitObject | null;
  /** Whether AdminSDHolder has the entries; null where no removed entry is on a protected object. */
  readonly protection: Protection | null;
  /** SID of the owner that takes the place of the present one. */
  readonly 'new-owner': string;
  /** The container that the object moves to. */
  readonly target: KitObject;
  /** Logons that were seen and that the change ends. */
  readonly sessions: readonly KitSession[];
  /** Accounts that no longer log on. */
  readonly accounts: readonly KitObject[];
  /** Hosts of Tier Zero of the domain: a change of logon rights must not reach them. */
  readonly 'tier-zero-hosts': readonly KitObject[];
  /** The unit or domain in which the computer is. */
  readonly unit: KitObject;
  /** Units whose policies give a local member, with the relative id of the group. */
  readonly policy: {
    readonly units: readonly KitObject[];
    readonly relativeId: string;
    readonly hosts: number;
  } | null;
  /** Names of policies that give the member or the right. */
  readonly policies: readonly KitObject[];
  /** SID of the local group. */
  readonly group: string;
  /** Whether the role may be used at once, or has to be activated first. */
  readonly assignment: 'active' | 'eligible';
  /** The object of the trust in the directory. */
  readonly trust: KitObject;
}

export type KitFactName = keyof KitFactValues;

export interface KitFacts {
  /** The id of the repair: the same in each generation. */
  readonly id: string;
  readonly kind: RepairKind;
  readonly object: KitObject;
  /** Absent where nothing is taken from anyone. */
  readonly principal?: KitObject;
  readonly relations: readonly EdgeKindName[];
  readonly removed: readonly KitRelation[];
  readonly values: readonly KitValue[];
  /** Each fact that the kind of change needs, and no other. */
  readonly facts: { readonly [Name in KitFactName]?: Known<KitFactValues[Name]> };
}
