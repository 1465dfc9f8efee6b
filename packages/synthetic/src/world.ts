/**
 * A domain as the generators of objects see it: its plan, its places, default access lists, and the flaws added to the clean state
 * (`flaws.ts`).
 */

import { type Delegation, type Place, Places, type TargetKind } from './places.ts';
import { type DomainPlan, domainStream, type ForestPlan, prefixedGroup, relativeId } from './plan.ts';
import { PolicyLinks } from './policies.ts';
import type { Stream } from './random.ts';
import { type Ace, ace, group, type Principal } from './records.ts';
import { RestrictedGroups, type Restriction } from './restrictedGroups.ts';

/** The differences from the clean state at one object. */
export interface Changes {
  readonly aces: Ace[];
  readonly members: Principal[];
  /** Ids of members that the group has only in the clean state. */
  readonly lostMembers: string[];
  /** Ids of users logged on to the computer. */
  readonly sessions: string[];
  readonly localAdministrators: Principal[];
  readonly remoteDesktopUsers: Principal[];
  readonly allowedToDelegate: Principal[];
  readonly allowedToAct: Principal[];
  readonly sidHistory: Principal[];
  /** Entries that a unit or the domain passes on. */
  readonly delegations: Delegation[];
  /** Members that the policies of a unit add to local groups. */
  readonly restrictions: Restriction[];
  readonly properties: Record<string, unknown>;
  /** Path of the container to which a computer was moved. */
  place?: string;
  /** The object does not exist in the clean state. */
  isAdded?: boolean;
}

const noChanges = (): Changes => ({
  ...{ aces: [], members: [], sessions: [], localAdministrators: [], remoteDesktopUsers: [] },
  ...{ allowedToDelegate: [], allowedToAct: [], sidHistory: [], restrictions: [], delegations: [] },
  lostMembers: [],
  properties: {},
});

const NONE: Readonly<Changes> = Object.freeze(noChanges());

/** Changes by object id. Its size depends on the planted flaws, not on the forest. */
export class Overlay {
  readonly #changes = new Map<string, Changes>();
  readonly #answering: ReadonlySet<string>;

  constructor(answering: ReadonlySet<string> = new Set()) {
    this.#answering = answering;
  }

  /** @returns an overlay without changes, in which the same machines answer */
  withoutChanges(): Overlay {
    return new Overlay(new Set([...this.#changes.keys()].filter((id) => this.answers(id))));
  }

  /** @returns whether the machine always answers the collector, because flaws planted on it have to be visible */
  answers(objectId: string): boolean {
    const { sessions, localAdministrators, remoteDesktopUsers } = this.at(objectId);
    return (
      this.#answering.has(objectId) ||
      sessions.length + localAdministrators.length + remoteDesktopUsers.length > 0
    );
  }

  at(objectId: string): Readonly<Changes> {
    return this.#changes.get(objectId) ?? NONE;
  }

  /** @returns the changes of the object, to which the caller can add */
  change(objectId: string): Changes {
    const known = this.#changes.get(objectId);
    if (known !== undefined) return known;
    const made = noChanges();
    this.#changes.set(objectId, made);
    return made;
  }
}

/** Classes with a specific default access list. */
export type SecuredKind = TargetKind | 'GPO' | 'CertTemplate' | 'PkiObject';

export class DomainWorld {
  readonly plan: DomainPlan;
  readonly forest: ForestPlan;
  readonly places: Places;
  readonly policyLinks: PolicyLinks;
  readonly restrictedGroups: RestrictedGroups;
  readonly overlay: Overlay;
  readonly #defaults = new Map<string, readonly Ace[]>();

  constructor(plan: DomainPlan, forest: ForestPlan, overlay: Overlay) {
    this.plan = plan;
    this.forest = forest;
    this.places = new Places(plan, (objectId) => overlay.at(objectId).delegations);
    this.policyLinks = new PolicyLinks(plan, this.places);
    this.overlay = overlay;
    this.restrictedGroups = new RestrictedGroups(plan, (place) => overlay.at(place.objectId).restrictions);
  }

  stream(name: string): Stream {
    return domainStream(this.plan, name);
  }

  /** @returns the access list of an object in a container: class default, inherited entries, planted entries */
  acesOf(objectId: string, kind: SecuredKind, place?: Place): readonly Ace[] {
    const key = `${kind}/${place?.path ?? '-'}`;
    let aces = this.#defaults.get(key);
    if (aces === undefined) {
      const inherits =
        place !== undefined && kind !== 'GPO' && kind !== 'CertTemplate' && kind !== 'PkiObject';
      aces = [...defaultAces(this.plan, kind), ...(inherits ? this.places.inheritedAces(place, kind) : [])];
      this.#defaults.set(key, aces);
    }
    return this.#withPlanted(objectId, aces);
  }

  /** @returns the access list that AdminSDHolder writes to protected accounts and groups, without inheritance */
  protectedAces(objectId: string, kind: 'User' | 'Group' | 'Computer' | 'Container'): readonly Ace[] {
    const key = `protected/${kind}`;
    let aces = this.#defaults.get(key);
    if (aces === undefined) {
      aces = protectedAces(this.plan, kind);
      this.#defaults.set(key, aces);
    }
    const onHolder = this.overlay.at(this.places.at('SYSTEM/ADMINSDHOLDER').objectId).aces;
    return this.#withPlanted(objectId, onHolder.length === 0 ? aces : [...aces, ...onHolder]);
  }

  #withPlanted(objectId: string, aces: readonly Ace[]): readonly Ace[] {
    const planted = this.overlay.at(objectId).aces;
    if (planted.length === 0) return aces;
    // An object has one owner: a planted one replaces the default.
    const hasOwner = planted.some(({ RightName }) => RightName === 'Owns');
    return [...aces.filter(({ RightName }) => !hasOwner || RightName !== 'Owns'), ...planted];
  }
}

const domainAdmins = (plan: DomainPlan): Principal => group(relativeId(plan, 512));
const enterpriseAdmins = (plan: DomainPlan): Principal => group(`${plan.forestSid}-519`);

/** Default access lists of the directory, as in the sample collections. */
function defaultAces(plan: DomainPlan, kind: SecuredKind): Ace[] {
  const owner = ace(domainAdmins(plan), 'Owns');
  const full = ace(domainAdmins(plan), 'GenericAll');
  switch (kind) {
    case 'User':
    case 'Computer':
    case 'ComputerWithLaps':
      return [owner, ace(prefixedGroup(plan, 'S-1-5-32-548'), 'GenericAll'), full];
    case 'Group':
      return [owner];
    case 'OU':
    case 'Container':
      return [owner, full];
    case 'GPO':
      return [owner, ...writers(plan, ['WriteDacl', 'WriteOwner', 'GenericWrite'])];
    case 'CertTemplate':
      return [
        ace(enterpriseAdmins(plan), 'Owns'),
        ...writers(plan, ['WriteDacl', 'WriteOwner', 'AllExtendedRights', 'GenericWrite']),
      ];
    case 'PkiObject':
      return [
        ace(enterpriseAdmins(plan), 'Owns'),
        ace(enterpriseAdmins(plan), 'GenericAll'),
        full,
        ace(prefixedGroup(plan, 'S-1-5-32-544'), 'GenericAll'),
      ];
  }
}

function writers(plan: DomainPlan, rights: readonly string[]): Ace[] {
  return [domainAdmins(plan), enterpriseAdmins(plan)].flatMap((holder) =>
    rights.map((right) => ace(holder, right)),
  );
}

function protectedAces(plan: DomainPlan, kind: 'User' | 'Group' | 'Computer' | 'Container'): Ace[] {
  const rights = ['WriteDacl', 'WriteOwner'];
  if (kind === 'User') rights.push('AllExtendedRights');
  if (kind !== 'Container') rights.push('GenericWrite');
  return [
    ace(domainAdmins(plan), 'Owns'),
    ...rights.map((right) => ace(prefixedGroup(plan, 'S-1-5-32-544'), right)),
    ...writers(plan, rights),
  ];
}
