/**
 * Prices of access list entries and owners. An inherited entry is priced at its container, so that its price does not depend on
 * the objects below.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, type EdgeRef, environments } from '@clew/analysis';
import { getOrMake, hasKind } from '@clew/graph';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import type { Repair } from '../../repairs/repair.ts';
import type { Administration } from './administration.ts';
import { isDefaultEntry } from './defaultEntries.ts';
import type { EntrySources } from './entrySources.ts';
import { groupSizes } from './groupSizes.ts';
import { membersOf } from './neighborFilters.ts';
import { type Damage, damage } from './reasons.ts';
import { type ComparedKind, shownKindOf } from './shownKinds.ts';

/** Minimum share of the objects of a kind at which a right counts as intended, if it is on more than a few objects. */
const DESIGN_SHARE = 0.2;
const MAX_FEW_OBJECTS = 3;
/** The right of accounts that join computers to the domain: if it is inherited by many computers, they may need it. */
const JOIN_RIGHT = EdgeKind.WriteAccountRestrictions;

export class RightPrices {
  readonly #context: AnalysisContext;
  readonly #administration: Administration;
  readonly #sources: EntrySources;
  /** Keyed by holder, right and kind of object. */
  readonly #same = new Map<string, number>();
  /** Keyed by kind of object and environment. */
  readonly #all = new Map<string, number>();

  constructor(context: AnalysisContext, administration: Administration, sources: EntrySources) {
    this.#context = context;
    this.#administration = administration;
    this.#sources = sources;
  }

  of({ kind, object, edgeKinds, change }: Repair, holder: number): Damage {
    const { graph, properties } = this.#context;
    const administration = this.#administration;
    if (administration.isGone(holder)) return damage('left');
    const [entry] = change.removed;
    const source = entry && this.#sources.of(entry);
    if (
      administration.zone.has(holder) ||
      (entry !== undefined && isDefaultEntry(graph, holder, entry.kind, source ?? object))
    )
      return damage('default');
    const sizes = this.#context.use(groupSizes);
    if (
      hasKind(graph, holder, NodeKind.Group) &&
      sizes.isBroad(holder) &&
      !administration.isAdministrative(holder)
    )
      return damage('intruder', { principals: sizes.of(holder) });
    if (kind === 'change-owner') return damage('exception');
    if (this.#runsService(change.removed, holder))
      return properties.flag('enabled', object) === false
        ? damage('left')
        : damage('in-use', { principals: sizes.of(holder) });
    // Officers issue certificates, which is a separate role.
    if (
      hasKind(graph, object, NodeKind.EnterpriseCA) &&
      edgeKinds.every((name) => name === 'ManageCertificates')
    )
      return damage('in-use');
    if (entry !== undefined && source !== undefined) {
      if (!this.#sources.reachesZone(source, holder)) return damage('delegation');
      const joined = entry.kind === JOIN_RIGHT ? this.#sources.inheritingFrom(source, entry) : 0;
      return joined > MAX_FEW_OBJECTS
        ? damage('shared', { same: joined, all: this.#allOf('Computer', object) })
        : damage('against-tier');
    }
    const isAgainstTier = administration.isAgainstTier(holder, object);
    const counts = entry && this.#counts(holder, entry.kind, object);
    if (counts !== undefined && counts.same > MAX_FEW_OBJECTS && counts.same >= DESIGN_SHARE * counts.all)
      return damage(isAgainstTier ? 'shared' : 'design', counts);
    return isAgainstTier ? damage('against-tier') : damage('exception', counts);
  }

  /** Whether the holder is a computer that reads the password of a managed account, as computers that run its service must. */
  #runsService(removed: readonly EdgeRef[], holder: number): boolean {
    const { graph } = this.#context;
    if (removed.length === 0 || removed.some((entry) => entry.kind !== EdgeKind.ReadGMSAPassword))
      return false;
    const readers = hasKind(graph, holder, NodeKind.Group) ? membersOf(graph, holder) : [holder];
    return readers.length > 0 && readers.every((reader) => hasKind(graph, reader, NodeKind.Computer));
  }

  /**
   * Counts objects of the same kind on which the holder directly has the same right, and all objects of the kind in the
   * environment.
   */
  #counts(
    holder: number,
    right: number,
    object: number,
  ): { readonly same: number; readonly all: number } | undefined {
    const { graph } = this.#context;
    const objectKind = shownKindOf(graph, object);
    if (objectKind === undefined) return undefined;
    const key = `${holder} ${right} ${objectKind}`;
    let same = this.#same.get(key);
    if (same === undefined) {
      same = 0;
      const { offsets, neighbors, kinds, flags } = graph.out;
      for (let at = offsets[holder]; at < offsets[holder + 1]; at++)
        if (
          kinds[at] === right &&
          (flags[at] & EdgeFlag.Inherited) === 0 &&
          shownKindOf(graph, neighbors[at]) === objectKind
        )
          same++;
      this.#same.set(key, same);
    }
    return { same, all: this.#allOf(objectKind, object) };
  }

  #allOf(kind: ComparedKind, object: number): number {
    const { of } = this.#context.use(environments);
    const key = `${kind} ${of[object]}`;
    return getOrMake(
      this.#all,
      key,
      () => this.#context.nodesOf(kind).filter((node) => of[node] === of[object]).size,
    );
  }
}
