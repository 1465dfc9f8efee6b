/**
 * Packages that are whole on a graph where only wide repairs and those of some named nodes are labels: a repair is a label there where the
 * step that it removes begins or ends at a named node.
 *
 * Rule: `docs/plan.md#search`.
 */
import type { NodeSet } from '@clew/graph';
import type { PackageKind } from '../packages/packageKinds.ts';
import type { WorkPackage } from '../packages/packageOrder.ts';

/** All changes of one object. Those of default groups are known for any object, and may be a part of them. */
const OF_OBJECT: ReadonlySet<PackageKind> = new Set<PackageKind>(['access-list', 'members-of-group']);

/**
 * Packages that take something from a principal on objects that they do not name: members of a container, computers of a policy, and the
 * computer of a local group, to which its administrators have a step. The principal is the second subject.
 */
const OF_PRINCIPAL: ReadonlySet<PackageKind> = new Set<PackageKind>([
  ...(['inherited-entry', 'protected-entry', 'rights-in-container', 'remove-policy-member'] as const),
  ...(['local-group-of-hosts', 'remove-local-member'] as const),
]);

/** @param defaultGroups their own rights are wide @returns says whether a package has all of its changes and effect there */
export function isWholeNear(named: NodeSet, defaultGroups: NodeSet): (one: WorkPackage) => boolean {
  return ({ kind, subjects, isWide }) => {
    if (OF_OBJECT.has(kind)) return named.has(subjects[0]);
    if (OF_PRINCIPAL.has(kind)) return named.has(subjects[1]) || defaultGroups.has(subjects[1]);
    return isWide || subjects.some((node) => named.has(node));
  };
}
