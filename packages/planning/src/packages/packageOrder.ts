/** Stored packages and their tie-break order. Names are computed on request: there are millions of packages, but only dozens on cards. */

import type { Repair } from '../repairs/repair.ts';
import type { PackageFacts } from './packageFacts.ts';
import type { PackageKind } from './packageKinds.ts';
import { isRightKind } from './usableRepairs.ts';

export interface WorkPackage {
  readonly key: string;
  readonly kind: PackageKind;
  /** Nodes named in the text. */
  readonly subjects: readonly number[];
  /** Places of its repairs, ascending. */
  readonly repairs: readonly number[];
  readonly cost: number;
  /** One change, or changes that have no effect separately: no smaller package has part of the effect. */
  readonly isAtomic: boolean;
  /** A setting, a CA, a template, a whole domain, or the rights of a default group: their number does not grow with the directory. */
  readonly isWide: boolean;
  /** Whether it removes access that a careful administrator keeps; such a package is on the first card only if no other helps. */
  readonly isKept: boolean;
  /** Tie-break between packages of equal price and effect: smaller is nearer to the root cause. */
  readonly root: number;
}

type PackageTraits = Pick<WorkPackage, 'cost' | 'isWide' | 'isKept' | 'root'>;

abstract class PricedPackage implements PackageTraits {
  readonly cost: number;
  readonly isWide: boolean;
  readonly isKept: boolean;
  readonly root: number;

  constructor({ cost, isWide, isKept, root }: PackageTraits) {
    this.cost = cost;
    this.isWide = isWide;
    this.isKept = isKept;
    this.root = root;
  }
}

/** A package of one repair. */
export class SinglePackage extends PricedPackage implements WorkPackage {
  readonly repair: Repair;
  readonly place: number;

  constructor(repair: Repair, place: number, traits: PackageTraits) {
    super(traits);
    this.repair = repair;
    this.place = place;
  }

  get key(): string {
    return this.repair.id;
  }

  get kind(): PackageKind {
    return this.repair.kind;
  }

  get subjects(): readonly number[] {
    const { object, principal } = this.repair;
    return principal === undefined ? [object] : [object, principal];
  }

  get repairs(): readonly number[] {
    return [this.place];
  }

  get isAtomic(): boolean {
    return true;
  }
}

/** A package of several repairs. */
export class GroupPackage extends PricedPackage implements WorkPackage {
  readonly kind: PackageKind;
  /** Identifies the package together with its kind: nodes, and negative numbers for other parts. */
  readonly nodes: readonly number[];
  readonly repairs: readonly number[];
  readonly isAtomic: boolean;
  readonly #facts: PackageFacts;

  constructor(
    facts: PackageFacts,
    own: PackageTraits & Pick<WorkPackage, 'kind' | 'repairs' | 'isAtomic'> & Pick<GroupPackage, 'nodes'>,
  ) {
    super(own);
    this.kind = own.kind;
    this.nodes = own.nodes;
    this.repairs = own.repairs;
    this.isAtomic = own.isAtomic;
    this.#facts = facts;
  }

  get key(): string {
    return `${this.kind} ${this.nodes.map((node) => this.#facts.idOf(node)).join(' ')}`;
  }

  get subjects(): readonly number[] {
    return this.nodes.filter((node) => node >= 0);
  }
}

/** Whether packages of the kind remove members from groups or roles. */
export const isMembershipKind = (kind: string): boolean => MEMBERSHIPS.has(kind);

const MEMBERSHIPS: ReadonlySet<string> = new Set([
  ...['remove-member', 'remove-local-member', 'members-of-group', 'local-group-of-hosts', 'remove-role'],
  ...['remove-policy-member'],
]);
const SESSIONS: ReadonlySet<string> = new Set([
  ...['keep-off', 'separate-logons', 'account-off-hosts', 'accounts-off-host', 'forest-separate-logons'],
]);
const OF_RIGHTS: ReadonlySet<string> = new Set([
  ...[
    'rights-on-object',
    'inherited-entry',
    'protected-entry',
    'rights-in-container',
    'access-list',
    'rights-of-default-group',
  ],
  ...['ca-template-enrollment', 'remove-logon-right', 'remove-delegation', 'remove-relation'],
]);

function rankOf({ kind }: WorkPackage): number {
  if (SESSIONS.has(kind)) return 3;
  if (MEMBERSHIPS.has(kind)) return 2;
  return OF_RIGHTS.has(kind) || isRightKind(kind as Repair['kind']) ? 1 : 0;
}

/** Orders by root cause, then by number of changes, then settings, rights, memberships, sessions, then by key. */
export function byTie(a: WorkPackage, b: WorkPackage): number {
  const size = (each: WorkPackage): number => (each instanceof SinglePackage ? 1 : each.repairs.length);
  return a.root - b.root || size(a) - size(b) || rankOf(a) - rankOf(b) || byKey(a, b);
}

/** Compares by key, usually without building it: a key starts with the kind, and nodes are ordered by the ids that follow. */
function byKey(a: WorkPackage, b: WorkPackage): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  if (a instanceof SinglePackage && b instanceof SinglePackage) {
    const [one, other] = [a.repair.edge, b.repair.edge];
    if (one !== undefined && other !== undefined) {
      if (one.start !== other.start) return one.start - other.start;
      if (one.kind === other.kind) return one.end - other.end;
    }
  }
  if (a instanceof GroupPackage && b instanceof GroupPackage) {
    const at = a.nodes.findIndex((node, place) => node !== b.nodes[place]);
    if (at >= 0 && a.nodes[at] >= 0 && b.nodes[at] >= 0) return a.nodes[at] - b.nodes[at];
  }
  return a.key < b.key ? -1 : 1;
}
