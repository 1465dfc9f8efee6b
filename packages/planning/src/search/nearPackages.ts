/**
 * Determines which packages are complete on a graph whose labels are only wide repairs and repairs near some given nodes: there, a repair
 * is a label if the step that it removes starts or ends at one of them.
 *
 * Rule: `docs/plan.md#search`.
 */
import type { NodeSet } from '@clew/graph';
import type { PackageKind } from '../packages/packageKinds.ts';
import type { WorkPackage } from '../packages/packageOrder.ts';

/** Packages of all changes of one object. Changes of default groups have labels at any object, and may be part of them. */
const OF_OBJECT: ReadonlySet<PackageKind> = new Set<PackageKind>(['access-list', 'members-of-group']);

/**
 * Packages that remove access of a principal to objects that they do not name: members of a container, computers of a policy, and the
 * computer of a local group, to which its administrators have a step. The principal is the second subject.
 */
const OF_PRINCIPAL: ReadonlySet<PackageKind> = new Set<PackageKind>([
  ...(['inherited-entry', 'protected-entry', 'rights-in-container', 'remove-policy-member'] as const),
  ...(['local-group-of-hosts', 'remove-local-member'] as const),
]);

/** @param defaultGroups their own rights are wide @returns a predicate for packages whose changes and effect are all on the graph */
export function isWholeNear(near: NodeSet, defaultGroups: NodeSet): (one: WorkPackage) => boolean {
  return ({ kind, subjects, isWide }) => {
    if (OF_OBJECT.has(kind)) return near.has(subjects[0]);
    if (OF_PRINCIPAL.has(kind)) return near.has(subjects[1]) || defaultGroups.has(subjects[1]);
    return isWide || subjects.some((node) => near.has(node));
  };
}
