/**
 * Work packages: the work of one administrator in one session. A package is a single repair, the same kind of change on one
 * object or on objects of one container, or changes that have no effect separately. The search of the plan chooses among
 * packages.
 *
 * Rule: `docs/plan.md#packages`.
 */
import type { AnalysisContext } from '@clew/analysis';
import { ListNumbers, placesByRow, uint32s } from '@clew/graph';
import type { Repair } from '../repairs/repair.ts';
import type { RepairKind } from '../repairs/repairKinds.ts';
import type { Steps } from '../steps.ts';
import { PackageFacts } from './packageFacts.ts';
import type { PackageKind } from './packageKinds.ts';
import { byTie, GroupPackage, SinglePackage, type WorkPackage } from './packageOrder.ts';
import type { PriceInput } from './prices/prices.ts';
import { RIGHTS, UsableRepairs } from './usableRepairs.ts';

export interface PackageInput {
  readonly context: AnalysisContext;
  readonly repairs: readonly Repair[];
  readonly prices: PriceInput;
  /** True for repairs that no one can make. */
  readonly isExcluded?: (repair: Repair) => boolean;
  /** Returns true for packages to keep; default: all. */
  readonly isWanted?: ((each: WorkPackage) => boolean) | undefined;
}

/** Each further object of a package costs this fraction of the most expensive one. */
const FURTHER = 0.25;
/** Fraction for each further host of a local group: a policy sets it on all hosts of a unit. */
const FURTHER_HOST = 0.1;

/** @returns packages in tie-break order: root cause, number of changes, then settings, rights, memberships, sessions */
export function* workPackages({
  context,
  repairs,
  prices,
  isExcluded,
  isWanted,
}: PackageInput): Steps<WorkPackage[]> {
  const facts = new PackageFacts(context, prices);
  const usable = new UsableRepairs(
    repairs,
    facts,
    (repair) => facts.isPossible(repair) && isExcluded?.(repair) !== true,
  );
  const collector = new Collector(usable);
  for (const add of [addAtomic, addSettings, addCertificates, addRights, addPlaces]) {
    yield;
    add(collector);
  }
  yield;
  // Filters before duplicates are removed: a package without some of its repairs may equal another one.
  const { found } = collector;
  return withoutTwins(isWanted === undefined ? found : found.filter(isWanted)).sort(byTie);
}

/** Keeps the cheapest package for each set of changes, preferring atomic packages. */
function withoutTwins(packages: readonly WorkPackage[]): WorkPackage[] {
  const isBetter = (a: WorkPackage, b: WorkPackage): boolean =>
    a.cost !== b.cost ? a.cost < b.cost : a.isAtomic && !b.isAtomic;
  const best: WorkPackage[] = [];
  /** Places of packages with several changes, keyed by their list of changes. A single change has only one package. */
  const lists = new ListNumbers();
  const places: number[] = [];
  for (const each of packages) {
    if (each instanceof SinglePackage) {
      best.push(each);
      continue;
    }
    const number = lists.numberOf(each.repairs);
    if (number === places.length) places.push(best.push(each) - 1);
    else if (isBetter(each, best[places[number]])) best[places[number]] = each;
  }
  return best;
}

interface Grouping {
  readonly kind: PackageKind;
  /** The repairs to group, ascending. */
  readonly among: readonly number[];
  /** Nodes that identify the group of a repair and name the package; undefined for repairs outside all groups. */
  readonly by: (at: number) => readonly number[] | undefined;
  /** Number of the object of a repair; by default each repair is its own object. */
  readonly object?: (at: number) => number;
  /** Fraction of the cost for each further object. */
  readonly further: number;
  /** Minimum number of objects. */
  readonly min?: number;
  readonly isAtomic?: boolean;
}

const IN_NO_GROUP = 0xffff_ffff;
/** Suffix of the key for the kept part of an atomic package; negative, like all parts that are not nodes. */
const KEPT_PART = -1;

class Collector {
  readonly found: WorkPackage[] = [];
  readonly usable: UsableRepairs;

  constructor(usable: UsableRepairs) {
    this.usable = usable;
  }

  addSingle(at: number): void {
    const { usable } = this;
    this.found.push(
      new SinglePackage(usable.repair(at), usable.place(at), {
        cost: usable.work(at) + usable.breaks(at),
        isWide: usable.isWide(at),
        isKept: usable.isKept(at),
        root: usable.root(at),
      }),
    );
  }

  addSingles(isSingle: (at: number) => boolean): void {
    for (let at = 0; at < this.usable.count; at++) if (isSingle(at)) this.addSingle(at);
  }

  /** Adds groups of repairs by nodes. @param without skips groups of these nodes */
  addGroups(grouping: Grouping, without?: ListNumbers): void {
    const { kind, further, isAtomic = false } = grouping;
    const { usable } = this;
    for (const { nodes, members, count } of this.#groupsOf(grouping)) {
      if (without?.has(nodes) === true) continue;
      if (members.length === 1 && isAtomic) {
        this.addSingle(members[0]);
        continue;
      }
      let [work, worst, all, root] = [0, 0, 0, 0];
      for (const at of members) {
        work = Math.max(work, usable.work(at));
        worst = Math.max(worst, usable.breaks(at));
        all += usable.breaks(at);
        root = Math.max(root, usable.root(at));
      }
      // An entry, or all rights on one object, counts as one change.
      const cost = work * (1 + further * (count - 1)) + (further > 0 ? all : worst);
      this.found.push(
        new GroupPackage(usable.facts, {
          ...{ kind, nodes, cost: Math.round(100 * cost) / 100, isAtomic },
          repairs: members.map((at) => usable.place(at)),
          isWide: members.every((at) => usable.isWide(at)),
          isKept: members.some((at) => usable.isKept(at)),
          root,
        }),
      );
    }
  }

  /** @returns the nodes of all groups that `addGroups` would add */
  namesOf(grouping: Grouping): ListNumbers {
    const names = new ListNumbers();
    for (const { nodes } of this.#groupsOf(grouping)) names.numberOf(nodes);
    return names;
  }

  /** Groups with enough objects, in discovery order; members ascending. */
  *#groupsOf({ among, by, object, min = 2, isAtomic = false }: Grouping): Generator<RepairGroup> {
    const groups = new ListNumbers();
    const groupOf = uint32s(among.length).fill(IN_NO_GROUP);
    for (let place = 0; place < among.length; place++) {
      // A change that breaks something must not be added only because similar changes are in the group.
      const nodes = isAtomic || !this.usable.isKept(among[place]) ? by(among[place]) : undefined;
      if (nodes !== undefined) groupOf[place] = groups.numberOf(nodes);
    }
    const { offsets, places } = placesByRow(groupOf, groups.size);
    for (let group = 0; group < groups.size; group++) {
      const nodes = groups.lists[group];
      if (offsets[group + 1] - offsets[group] < min) continue;
      const own = Array.from(places.subarray(offsets[group], offsets[group + 1]), (place) => among[place]);
      const objects = object === undefined ? own.length : new Set(own.map(object)).size;
      if (objects >= min) yield { nodes: nodes as readonly number[], members: own, count: objects };
    }
  }
}

interface RepairGroup {
  readonly nodes: readonly number[];
  readonly members: readonly number[];
  /** Number of objects in the group. */
  readonly count: number;
}

const LDAP: ReadonlySet<RepairKind> = new Set(['controllers-ldap-signing', 'controllers-channel-binding']);
const OF_FOREST: ReadonlySet<RepairKind> = new Set([
  ...LDAP,
  ...(['controllers-certificate-binding', 'controllers-certificate-mapping'] as const),
]);

/** Adds packages that cannot be split. Several entries of one principal on one object are one package. */
function addAtomic(collector: Collector): void {
  const { usable } = collector;
  collector.addSingles((at) => !usable.isRight(at) && !OF_FOREST.has(usable.repair(at).kind));
  // Kept rights on an object form a separate package.
  const kept = (at: number): number[] => (usable.isKept(at) ? [KEPT_PART] : []);
  collector.addGroups({
    kind: 'rights-on-object',
    among: usable.ownRights,
    by: (at) => {
      const { object, principal } = usable.repair(at);
      return [object, principal as number, ...kept(at)];
    },
    ...{ further: 0, min: 1, isAtomic: true },
  });
  // Entries set elsewhere are removed there, together with the principal's other rights on that object.
  for (const [kind, isCopied] of [
    ['inherited-entry', false],
    ['protected-entry', true],
  ] as const)
    collector.addGroups({
      kind,
      among: usable.inheritedRights.filter((at) => usable.facts.isProtector(usable.source(at)) === isCopied),
      by: (at) => [usable.source(at), usable.repair(at).principal as number, ...kept(at)],
      object: () => 0,
      ...{ further: 0, min: 1, isAtomic: true },
    });
}

function addSettings(collector: Collector): void {
  const { usable } = collector;
  const forest = (at: number): number[] => [usable.facts.forestOf(usable.repair(at).object)];
  const ldap = usable.ofKinds(LDAP);
  collector.addGroups({
    kind: 'ldap-protection',
    among: ldap,
    by: (at) => [usable.repair(at).object],
    ...{ further: FURTHER, min: 1, isAtomic: true },
  });
  collector.addGroups({
    kind: 'forest-ldap-protection',
    ...{ among: ldap, by: forest, further: FURTHER },
  });
  // These repairs change all controllers of the forest, regardless of which domain needs them.
  for (const [kind, own] of [
    ['forest-certificate-binding', 'controllers-certificate-binding'],
    ['forest-certificate-mapping', 'controllers-certificate-mapping'],
  ] as const)
    collector.addGroups({
      ...{ kind, among: usable.ofKinds([own]), by: forest },
      ...{ further: FURTHER, min: 1, isAtomic: true },
    });
  for (const [kind, own] of [
    ['forest-smb-signing', 'domain-smb-signing'],
    ['forest-separate-logons', 'separate-logons'],
  ] as const)
    collector.addGroups({ kind, among: usable.ofKinds([own]), by: forest, further: FURTHER });
}

function addCertificates(collector: Collector): void {
  const { usable } = collector;
  const { facts } = usable;
  const [enrollments, approvals, publications] = (
    ['remove-enrollment', 'template-approval', 'unpublish-template'] as const
  ).map((kind) => usable.ofKinds([kind]));
  for (const ca of facts.authorities) {
    const isHere = facts.templatesOf(ca);
    collector.addGroups({
      kind: 'ca-template-enrollment',
      among: enrollments,
      by: (at) => {
        const { object, principal } = usable.repair(at);
        return isHere.has(object) ? [ca, principal as number] : undefined;
      },
      ...{ object: (at) => usable.repair(at).object, further: FURTHER },
    });
    collector.addGroups({
      kind: 'ca-template-approval',
      among: approvals,
      by: (at) => (isHere.has(usable.repair(at).object) ? [ca] : undefined),
      further: FURTHER,
    });
    collector.addGroups({
      kind: 'ca-template-unpublishing',
      among: publications,
      by: (at) => (usable.repair(at).object === ca ? [ca] : undefined),
      further: FURTHER,
    });
  }
}

function addRights(collector: Collector): void {
  const { usable } = collector;
  const object = (at: number): number => usable.repair(at).object;
  collector.addGroups({
    kind: 'rights-in-container',
    among: usable.ownRights,
    by: (at) => {
      const parent = usable.parent(at);
      return parent === undefined ? undefined : [parent, usable.repair(at).principal as number];
    },
    ...{ object, further: FURTHER },
  });
  collector.addGroups({
    kind: 'access-list',
    among: usable.ownRights,
    by: (at) => [usable.repair(at).object],
    ...{ object: (at) => usable.repair(at).principal as number, further: FURTHER },
  });
  collector.addGroups({
    kind: 'rights-of-default-group',
    among: usable.ofKinds(RIGHTS),
    by: (at) => (usable.isOfDefaultGroup(at) ? [usable.repair(at).principal as number] : undefined),
    ...{ object, further: FURTHER },
  });
}

function addPlaces(collector: Collector): void {
  const { usable } = collector;
  const localGroups = (of: 'unit' | 'domain'): Grouping => ({
    kind: 'local-group-of-hosts',
    among: usable.ofKinds(['remove-local-member']),
    by: (at) => {
      const localGroup = usable.localGroup(at);
      const place = localGroup?.[of];
      if (localGroup === undefined || place === undefined) return undefined;
      return [place, usable.repair(at).principal as number, -localGroup.relativeId];
    },
    further: FURTHER_HOST,
  });
  // The package of hosts outside all units contains all hosts of the domain.
  collector.addGroups(localGroups('unit'), collector.namesOf(localGroups('domain')));
  collector.addGroups(localGroups('domain'));
  const repair = (at: number): Repair => usable.repair(at);
  collector.addGroups({
    kind: 'account-off-hosts',
    among: usable.ofKinds(['keep-off']),
    by: (at) => [repair(at).principal as number],
    further: FURTHER,
  });
  collector.addGroups({
    kind: 'accounts-off-host',
    among: usable.ofKinds(['keep-off']),
    by: (at) => [repair(at).object],
    further: FURTHER,
  });
  collector.addGroups({
    kind: 'members-of-group',
    among: usable.ofKinds(['remove-member']),
    by: (at) => [repair(at).object],
    further: FURTHER,
  });
}
