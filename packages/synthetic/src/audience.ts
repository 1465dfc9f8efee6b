/** The principals of a domain of shape 3 that have too many rights, and the names to which these rights are granted. */
import { DEPARTMENTS } from './names.ts';
import {
  blockPrincipal,
  type DomainPlan,
  domainStream,
  type ForestPlan,
  prefixedGroup,
  roleGroup,
  wellKnownGroup,
} from './plan.ts';
import { pick } from './random.ts';
import type { Principal } from './records.ts';

/**
 * @param luck selects one of several names for the same people, in [0, 1) @returns an empty list if there is no wide path: other flaws
 * affect single people and teams
 */
export function audienceOf(plan: DomainPlan, luck: number): Principal[] {
  const { audience, isOpen, departments } = plan.traits;
  if (!isOpen) return [];
  switch (audience) {
    case 'people':
      return [];
    case 'departments': {
      const first = Math.floor(domainStream(plan, 'audience')(0) * DEPARTMENTS.length);
      return Array.from({ length: departments }, (_, at) =>
        blockPrincipal(plan, 'department', (first + at) % DEPARTMENTS.length),
      );
    }
    case 'computers':
      return [wellKnownGroup(plan, 515)];
    case 'users':
      return [luck < 0.7 ? wellKnownGroup(plan, 513) : roleGroup(plan, 'ALL_STAFF')];
    case 'everybody':
      return pick(
        [
          [prefixedGroup(plan, 'S-1-5-11')],
          [prefixedGroup(plan, 'S-1-1-0')],
          [wellKnownGroup(plan, 513), wellKnownGroup(plan, 515)],
          [wellKnownGroup(plan, 513)],
        ],
        luck,
      );
  }
}

/** @returns the audiences of all domains of the forest */
export const audienceOfForest = (plan: DomainPlan, forest: ForestPlan, luck: number): Principal[] =>
  forest.domains
    .filter(({ forestName }) => forestName === plan.forestName)
    .flatMap((one) => audienceOf(one, luck));
