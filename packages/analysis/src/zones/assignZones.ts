/**
 * Assigns zones by precedence: an object belongs to the most privileged zone that selects it; labels have no order. Members that await
 * certification are recorded but not tagged.
 *
 * Rule: `docs/findings.md#expansion`, steps 3 and 4.
 */
import type { NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { type Expansion, expandZone, type ZoneMembers } from './expandZone.ts';

export interface ZoneSelector {
  readonly id: number;
  readonly seeds: NodeSet;
}

export interface ZoneDefinition {
  readonly id: number;
  /** 1 is the most privileged; `null` for labels and marks. */
  readonly position: number | null;
  readonly expansion: Expansion;
  readonly selectors: readonly ZoneSelector[];
  /** Selects the members that may be tagged if the zone requires certification; default all. */
  readonly certified?: (members: ZoneMembers, selector: ZoneSelector) => NodeSet;
}

export interface ZoneAssignment {
  readonly id: number;
  /** Tagged nodes. */
  readonly tagged: NodeSet;
  /** The objects selected by each selector, before certification and precedence. */
  readonly bySelector: ReadonlyMap<number, ZoneMembers>;
}

/** @returns one entry per zone, in order of precedence, labels last */
export function assignZones(
  context: AnalysisContext,
  zones: readonly ZoneDefinition[],
): readonly ZoneAssignment[] {
  const ordered = [...zones].sort(
    (a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || a.id - b.id,
  );
  let taken = context.emptySet();
  return ordered.map((zone) => {
    const bySelector = new Map(
      zone.selectors.map((selector) => [selector.id, expandZone(context, selector.seeds, zone.expansion)]),
    );
    let tagged = context.emptySet();
    for (const selector of zone.selectors) {
      const members = bySelector.get(selector.id)!;
      tagged = tagged.or(zone.certified?.(members, selector) ?? members.all);
    }
    if (zone.position !== null) {
      tagged = tagged.andNot(taken);
      taken = taken.or(tagged);
    }
    return { id: zone.id, tagged, bySelector };
  });
}
