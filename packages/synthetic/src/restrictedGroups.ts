/**
 * Policies that add members to local groups of the machines below a unit ("restricted groups"). Shapes 1 and 2 have one, for kiosks
 * (`organization.ts`); in shape 3, some units of every domain have others, and flaws add more.
 */
import type { Place } from './places.ts';
import { blockPrincipal, type DomainPlan, domainStream, roleGroup } from './plan.ts';
import type { Principal } from './records.ts';

export const RESTRICTED_LISTS = ['LocalAdmins', 'RemoteDesktopUsers', 'DcomUsers', 'PSRemoteUsers'] as const;

export type RestrictedList = (typeof RESTRICTED_LISTS)[number];

export interface Restriction {
  readonly list: RestrictedList;
  readonly member: Principal;
}

type Lists = Readonly<Record<RestrictedList, readonly Principal[]>>;

export class RestrictedGroups {
  readonly #plan: DomainPlan;
  readonly #plantedAt: (place: Place) => readonly Restriction[];
  readonly #known = new Map<string, Lists>();

  /** @param plantedAt members that flaws add at a unit */
  constructor(plan: DomainPlan, plantedAt: (place: Place) => readonly Restriction[]) {
    this.#plan = plan;
    this.#plantedAt = plantedAt;
  }

  /** @returns the members that the policies linked to the place add to local groups */
  at(place: Place): Lists {
    const known = this.#known.get(place.path);
    if (known !== undefined) return known;
    const all = [...usualRestrictions(this.#plan, place), ...this.#plantedAt(place)];
    const lists = Object.fromEntries(
      RESTRICTED_LISTS.map((list) => [
        list,
        all.filter((one) => one.list === list).map(({ member }) => member),
      ]),
    ) as unknown as Lists;
    this.#known.set(place.path, lists);
    return lists;
  }

  /** @returns the members that policies at the place of a machine or above add to its local group */
  above(place: Place, list: RestrictedList): Principal[] {
    const members: Principal[] = [];
    for (let at: Place | undefined = place; at !== undefined; at = at.parent)
      members.push(...this.at(at)[list]);
    return members;
  }
}

/** The intended restrictions: administrators of servers on servers, the help desk of a site on its workstations. */
function usualRestrictions(plan: DomainPlan, place: Place): Restriction[] {
  if (plan.shape !== 3) return [];
  const draw = domainStream(plan, 'restricted-groups');
  if (place.path === 'TIER1/SERVERS') {
    return [
      ...(draw(0) < 0.6
        ? [{ list: 'LocalAdmins', member: roleGroup(plan, 'T1_SERVER_ADMINS') } as const]
        : []),
      ...(draw(1) < 0.3
        ? [{ list: 'PSRemoteUsers', member: roleGroup(plan, 'T1_DATABASE_ADMINS') } as const]
        : []),
    ];
  }
  const site = place.workstationSite;
  if (site === undefined) return [];
  return [
    ...(draw(2, site) < 0.2
      ? [{ list: 'LocalAdmins', member: blockPrincipal(plan, 'siteHelpdesk', site) } as const]
      : []),
    ...(draw(3, site) < 0.1
      ? [{ list: 'RemoteDesktopUsers', member: blockPrincipal(plan, 'siteStaff', site) } as const]
      : []),
  ];
}
