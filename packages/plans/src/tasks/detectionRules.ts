/**
 * Detection rules for the steps of attack paths: what no change cuts can still be watched.
 *
 * Rule: `docs/kits.md#detection-rules`.
 */
import type { DetectionRulesRecord, PathRepairsRequest } from '@clew/api';
import { edgeKey, nameOf, objectIdOf } from '@clew/graph';
import { type WatchedStep, watchKit } from '@clew/kits';
import { kitRelation, standsOn } from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import { archivedFiles, seesWhole } from './changeKits.ts';
import { edgesOf } from './pathRepairs.ts';
import type { PlanState } from './planState.ts';
import { type Seen, sightIn } from './sight.ts';

export interface DetectionRulesInput extends PathRepairsRequest {
  /** The ends of all steps are visible. */
  readonly seen: Seen;
}

/** Rules of these relationships would name objects that the user may not see. */
const HIDDEN = 'Relationships with objects that you cannot see have no rules here.';

/** @throws PlanError for a relationship that is not in the graph */
export async function detectionRules(
  { generation, world }: PlanState,
  { steps, seen }: DetectionRulesInput,
): Promise<DetectionRulesRecord> {
  const { context } = world;
  const { graph } = generation;
  const sight = sightIn(generation, seen);
  const shown = (node: number): string => nameOf(graph, node) || objectIdOf(graph, node);
  const distinct = new Map<string, WatchedStep & { readonly kinds: string[]; readonly isPartial: boolean }>();
  for (const step of steps) {
    const edges = edgesOf({ generation, world }, step);
    const kinds = [...new Set(edges.map(({ kind }) => edgeKindName(generation, kind)))];
    const [{ start, end }] = edges as [(typeof edges)[number]];
    const facts = new Map(
      edges
        .flatMap((edge) => standsOn(context, edge))
        .map((edge) => [edgeKey(edge), kitRelation(context, edge)] as const),
    );
    const all = [...facts.values()];
    const relations = sight === undefined ? all : all.filter((relation) => seesWhole(relation, sight));
    distinct.set(`${start} ${end} ${kinds.join(' ')}`, {
      ...{ title: `${shown(start)} to ${shown(end)}: ${kinds.join(', ')}`, relations, kinds },
      isPartial: relations.length < all.length,
    });
  }
  const all = [...distinct.values()];
  const kit = watchKit(all);
  return {
    generation: generation.id,
    steps: kit.steps.map(({ rules, unwatched }, at) => ({
      kinds: all[at]?.kinds ?? [],
      rules: [...rules],
      unwatched: [...unwatched, ...(all[at]?.isPartial ? [HIDDEN] : [])],
    })),
    ...(await archivedFiles(kit.files)),
  };
}
