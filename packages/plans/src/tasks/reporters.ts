/**
 * Objects that report a relationship between two others: units and domains report members that their policies add to local groups, and
 * authorities report enrollment agents. Rule: `docs/plan.md#evidence`.
 */
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { type AnalyzedWorld, policyMembers, type Repair } from '@clew/planning';

/** @returns object ids; undefined for relationships that only their ends report */
export function reportersOf({ context }: AnalyzedWorld, { change }: Repair): string[] | undefined {
  const { graph } = context;
  const found = new Set<number>();
  let isReported = false;
  for (const { start, kind, end } of change.removed) {
    if (kind !== EdgeKind.MemberOfLocalGroup && kind !== EdgeKind.DelegatedEnrollmentAgent) continue;
    isReported = true;
    const reporters =
      kind === EdgeKind.DelegatedEnrollmentAgent
        ? authoritiesOf(graph, end)
        : (context.use(policyMembers).of(start, end)?.units ?? []);
    for (const node of reporters) found.add(node);
  }
  return isReported ? [...found].map((node) => objectIdOf(graph, node)) : undefined;
}

/** The authorities that publish a template say who may enroll for others. */
export const authoritiesOf = ({ out }: AttackGraph, template: number): number[] =>
  neighborsOf(out, template, EdgeKind.PublishedTo);

/** @returns the other ends of a node's relationships of one kind */
export function neighborsOf(
  { offsets, neighbors, kinds }: AttackGraph['out'],
  node: number,
  kind: number,
): number[] {
  const found: number[] = [];
  for (let at = offsets[node]; at < offsets[node + 1]; at++)
    if (kinds[at] === kind) found.push(neighbors[at]);
  return found;
}
