/** Facts that a directory change needs: ids of both ends, places, hosts. Scripts and steps are built from these. */
import type { JsonValue } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { Protection } from './protectedEntries.ts';
import type { RepairKind } from './repairKinds.ts';

/** The ids of an object; names are only for display. */
export interface KitObject {
  /** The collected id; the id of a built-in group has the domain before the SID. */
  readonly objectId: string;
  /** Node kind; empty if only a definition of another platform names it. */
  readonly kind: string;
  readonly name: string;
  /** `S-1-...` without the domain before it; null for objects without a SID and for objects of Entra ID. */
  readonly sid: string | null;
  /** Lower case; null if the collected id is a SID. */
  readonly guid: string | null;
  /** Null for objects outside Active Directory, and if it was not collected. */
  readonly distinguishedName: string | null;
  /** DNS name and SID of the Active Directory domain; null for other objects, and if the domain was not collected. */
  readonly domain: { readonly sid: string; readonly name: string } | null;
  /** Id of the Entra ID tenant, lower case. */
  readonly tenant: string | null;
  /** Object id of an application, lower case: `guid` is its client id. Only of applications of which it was collected. */
  readonly applicationObjectId?: string;
}

/** A relationship that the change removes, as it was collected. */
export interface KitRelation {
  readonly source: KitObject;
  readonly relation: EdgeKindName;
  readonly target: KitObject;
  readonly isInherited: boolean;
}

/** A property to write. */
export interface KitValue {
  readonly object: KitObject;
  readonly property: string;
  /** Null if it was not collected. */
  readonly now: JsonValue;
  readonly wanted: JsonValue;
}

export interface KitSession {
  readonly computer: KitObject;
  readonly account: KitObject;
}

/** A fact that may not have been collected; a sentence then describes the missing fact. */
export type Known<Value> = { readonly value: Value } | { readonly missing: string };

export interface KitCloudGroup {
  /** Null if it was not collected. */
  readonly isRoleAssignable: boolean | null;
  readonly isSynchronized: boolean;
  /** SID of the synchronized group in Active Directory; null if it was not collected. */
  readonly onPremisesSid: string | null;
  /** Whether a rule decides who is a member. */
  readonly hasRule: boolean;
}

/** Facts by name, in addition to the two ends. */
export interface KitFactValues {
  /** The computer that is changed. */
  readonly host: KitObject;
  /** Domain controllers that the change covers. */
  readonly controllers: readonly KitObject[];
  /** The container whose entry an object inherits; null if no removed entry is inherited. */
  readonly container: KitObject | null;
  /** Whether AdminSDHolder has the entries; null if no removed entry is on a protected object. */
  readonly protection: Protection | null;
  /** SID of the new owner. */
  readonly 'new-owner': string;
  /** The container to which the object moves. */
  readonly target: KitObject;
  /** Observed logons that the change ends. */
  readonly sessions: readonly KitSession[];
  /** Accounts that may no longer log on. */
  readonly accounts: readonly KitObject[];
  /** Service accounts among the denied ones, with the denied group that they belong to; null if they are denied themselves. */
  readonly 'denied-services': readonly { readonly account: KitObject; readonly group: KitObject | null }[];
  /** Tier Zero hosts of the domain, which a change of logon rights must not affect. */
  readonly 'tier-zero-hosts': readonly KitObject[];
  /** The unit or domain of the computer. */
  readonly unit: KitObject;
  /** Units whose policies add a local member, with the relative id of the group. */
  readonly policy: {
    readonly units: readonly KitObject[];
    readonly relativeId: string;
    readonly hosts: number;
  } | null;
  /** The distinguished name of the policy, as links name it: its GUID is the common name, and not the object GUID. */
  readonly 'policy-name': string;
  /** Names of policies that give the member or the right. */
  readonly policies: readonly KitObject[];
  /** SID of the local group. */
  readonly group: string;
  /** Whether the role is active or must be activated first. */
  readonly assignment: 'active' | 'eligible';
  /** How members of the group are changed; null for other objects than groups of Entra ID. */
  readonly 'cloud-group': KitCloudGroup | null;
  /** Scopes of the Azure role assignments; empty if each is at the object itself. `/` is elevated access. */
  readonly 'assignment-scopes': readonly string[];
  /** The trust object in the directory. */
  readonly trust: KitObject;
}

export type KitFactName = keyof KitFactValues;

export interface KitFacts {
  /** Id of the repair, stable across generations. */
  readonly id: string;
  readonly kind: RepairKind;
  readonly object: KitObject;
  /** Missing if no principal loses access. */
  readonly principal?: KitObject;
  readonly relations: readonly EdgeKindName[];
  readonly removed: readonly KitRelation[];
  readonly values: readonly KitValue[];
  /** Exactly the facts that the kind of change needs. */
  readonly facts: { readonly [Name in KitFactName]?: Known<KitFactValues[Name]> };
}
