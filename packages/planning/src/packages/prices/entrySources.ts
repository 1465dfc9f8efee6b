/**
 * Finds the object that sets an entry explicitly: a container that passes it on, or AdminSDHolder, whose entries Windows copies
 * to protected objects. Windows restores such an entry if it is removed from an object below, so it is priced and removed at its
 * source.
 *
 * Rule: `docs/plan.md#packages`.
 */
import {
  type AnalysisContext,
  type EdgeRef,
  InheritanceSources,
  isInherited,
  LikelySources,
  NOT_COPIED,
  type Shared,
} from '@clew/analysis';
import { addCount, addTo, findEdge, NO_EDGE, NodeSet } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { shownKindOf } from './shownKinds.ts';

export class EntrySources {
  readonly #context: AnalysisContext;
  readonly #zone: NodeSet;
  /** AdminSDHolder of each protected object. */
  readonly #protectors = new Map<number, number[]>();
  readonly #holdersOfCopies: ReadonlySet<number>;
  #sources: InheritanceSources | undefined;
  #likely: LikelySources | undefined;
  /** Containers that pass on an entry, by its holder. */
  readonly #passedOn = new Map<number, ReadonlySet<number>>();
  /** Objects that inherit an entry, by source; keyed by holder and right in one number. */
  readonly #inheriting = new Map<number, ReadonlyMap<number, number>>();
  /** Keyed by source and holder in one number. */
  #reachingZone: ReadonlySet<number> | undefined;

  /** @param zone members of the zone and of more privileged ones */
  constructor(context: AnalysisContext, zone: NodeSet) {
    this.#context = context;
    this.#zone = zone;
    context.edges('ProtectAdminGroups').forEach((protector, _, object) => {
      addTo(this.#protectors, object, protector);
    });
    this.#holdersOfCopies = new Set([...this.#protectors.values()].flat());
  }

  /** @returns the object that sets this entry explicitly; undefined if only the object itself has it */
  of(entry: EdgeRef): number | undefined {
    const { graph } = this.#context;
    const protector = this.#protectorOf(entry);
    if (protector !== undefined) return protector;
    if (isInherited(graph, entry)) return this.#sourceOf(entry);
    return this.#passesOn(entry.start, entry.end) ? entry.end : undefined;
  }

  /** @returns the number of objects that inherit this right of the holder from the source */
  inheritingFrom(source: number, { start, kind }: Pick<EdgeRef, 'start' | 'kind'>): number {
    const key = kind * this.#context.graph.nodeCount + start;
    let counts = this.#inheriting.get(key);
    if (counts === undefined) {
      const found = new Map<number, number>();
      const { offsets, neighbors, kinds, flags } = this.#context.graph.out;
      for (let at = offsets[start]; at < offsets[start + 1]; at++) {
        if (kinds[at] !== kind || (flags[at] & EdgeFlag.Inherited) === 0) continue;
        const from = this.of({ start, kind, end: neighbors[at] });
        if (from !== undefined) addCount(found, from);
      }
      counts = found;
      this.#inheriting.set(key, counts);
    }
    return counts.get(source) ?? 0;
  }

  /** Whether the source is AdminSDHolder. */
  isProtector(source: number): boolean {
    return this.#holdersOfCopies.has(source);
  }

  /** Whether entries of the holder at this object reach a member of the zone, or are set on one. */
  reachesZone(source: number, holder: number): boolean {
    if (this.#zone.has(source)) return true;
    this.#reachingZone ??= this.#findReaching();
    return this.#reachingZone.has(this.#keyOf(source, holder));
  }

  #protectorOf({ start, kind, end }: EdgeRef): number | undefined {
    if (NOT_COPIED.has(kind)) return undefined;
    if (this.#holdersOfCopies.has(end)) return end;
    const { graph } = this.#context;
    return this.#protectors.get(end)?.find((holder) => findEdge(graph, start, kind, holder) !== NO_EDGE);
  }

  /** One pass per holder, so that the answer does not depend on which entries are requested. */
  #passesOn(holder: number, container: number): boolean {
    let known = this.#passedOn.get(holder);
    if (known === undefined) {
      const found = new Set<number>();
      const { offsets, neighbors, kinds, flags } = this.#context.graph.out;
      for (let at = offsets[holder]; at < offsets[holder + 1]; at++) {
        if ((flags[at] & EdgeFlag.Inherited) === 0) continue;
        const source = this.#inherited.of({ start: holder, kind: kinds[at], end: neighbors[at] });
        if (source !== undefined) found.add(source);
      }
      known = found;
      this.#passedOn.set(holder, known);
    }
    return known.has(container);
  }

  #findReaching(): ReadonlySet<number> {
    const found = new Set<number>();
    const { offsets, neighbors, kinds, flags } = this.#context.graph.in;
    this.#zone.forEach((member) => {
      for (let at = offsets[member]; at < offsets[member + 1]; at++) {
        const entry = { start: neighbors[at], kind: kinds[at], end: member };
        const source =
          (flags[at] & EdgeFlag.Inherited) !== 0 ? this.#sourceOf(entry) : this.#protectorOf(entry);
        if (source !== undefined) found.add(this.#keyOf(source, neighbors[at]));
      }
    });
    return found;
  }

  #keyOf(source: number, holder: number): number {
    return source * this.#context.graph.nodeCount + holder;
  }

  /** @returns the container from which an entry is inherited if known, otherwise the likely one */
  #sourceOf(entry: EdgeRef): number | undefined {
    return this.#inherited.of(entry) ?? this.#likelySources.of(entry.start, entry.kind, entry.end);
  }

  get #likelySources(): LikelySources {
    const { graph } = this.#context;
    const inherited = this.#inherited;
    this.#likely ??= new LikelySources(this.#context, {
      containers: inherited.containers,
      kindOf: (node) => shownKindOf(graph, node),
      isKnown: (start, kind, end) => inherited.of({ start, kind, end }) !== undefined,
    });
    return this.#likely;
  }

  get #inherited(): InheritanceSources {
    this.#sources ??= new InheritanceSources(this.#context);
    return this.#sources;
  }
}

/** Sources for texts, which do not need the zone. */
export const entrySources: Shared<EntrySources> = {
  name: 'sources of inherited entries',
  reads: { edges: ['ProtectAdminGroups', 'Contains'], nodeProperties: ['isaclprotected'] },
  build: (context) => new EntrySources(context, NodeSet.empty(context.graph.nodeCount)),
};
