/**
 * Labels of steps: the numbers of the repairs that remove them. The scope is one of three: all repairs; only wide ones (settings, access to
 * certificate authorities and templates, changes of whole domains, and rights of default groups themselves), of which any directory has
 * only hundreds, with the rest of the graph permanent; or wide ones plus those of some packages.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import type { AnalysisContext, Need, Way } from '@clew/analysis';
import type { NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import { isWideKind } from '../packages/packageFacts.ts';
import type { Repair } from '../repairs/repair.ts';
import { KIND_OF_EDGE } from '../repairs/repairKinds.ts';
import type { RepairCatalog } from '../repairs/repairs.ts';
import { Exceptions } from './exceptions.ts';

/** Repairs that each remove the step, ascending. Empty: the step is permanent. */
export type Labels = readonly number[];

export const NONE: Labels = [];

export type LabelScope = 'all' | 'wide' | PackageScope;

/** Wide repairs, and all repairs that some packages may contain. */
export interface PackageScope {
  /** Nodes named in the packages: each of their repairs changes one of these nodes or removes its access. */
  readonly near: NodeSet;
  /** Whether the packages remove members from groups. */
  readonly hasMemberships: boolean;
}

/** Kinds of edges whose repairs are wide. */
const WIDE_EDGES: ReadonlySet<number> = new Set(
  Object.entries(KIND_OF_EDGE).flatMap(([name, kind]) =>
    isWideKind(kind) ? [EdgeKind[name as EdgeKindName]] : [],
  ),
);

export class StepLabels {
  readonly #context: AnalysisContext;
  readonly #catalog: RepairCatalog;
  readonly #zone: NodeSet;
  readonly #default: NodeSet;
  readonly #isExcluded: ((repair: Repair) => boolean) | undefined;
  readonly #scope: LabelScope;
  readonly #ofPlace: (Labels | undefined)[] = [];
  /** Cases in which labels are omitted. */
  readonly exceptions = new Exceptions();

  /** @param groups default groups @param isExcluded true for repairs that no one can make */
  constructor(
    context: AnalysisContext,
    catalog: RepairCatalog,
    {
      zone,
      groups,
      scope,
      isExcluded,
    }: {
      readonly zone: NodeSet;
      readonly groups: NodeSet;
      readonly scope: LabelScope;
      readonly isExcluded?: (repair: Repair) => boolean;
    },
  ) {
    this.#context = context;
    this.#catalog = catalog;
    this.#zone = zone;
    this.#default = groups;
    this.#scope = scope;
    this.#isExcluded = isExcluded;
  }

  /** Whether memberships that give a right have labels. */
  get hasMemberships(): boolean {
    return this.#scope === 'all' || (this.#scope !== 'wide' && this.#scope.hasMemberships);
  }

  ofNeed(need: Need): Labels {
    if (!('setting' in need)) {
      if (!this.#isInScope(need.start, EdgeKind[need.kind], need.end)) return NONE;
      return this.#withBroader(this.#catalog.ofNeed(need));
    }
    if (need.setting !== 'computer-smb-signing' || this.#isNamed(need.node))
      return this.#withBroader(this.#catalog.ofNeed(need));
    const signing = this.#catalog.ofDomainSigning(need.node);
    return signing === undefined ? NONE : this.#kept([signing]);
  }

  /** Labels of the needs of a way that depend only on this end. */
  ofEnd({ toEnd }: Way, end: number): Labels {
    return toEnd === undefined ? NONE : this.ofNeed({ ...toEnd, end });
  }

  /** Same as `ofNeed` for a relation with known flags, without a lookup. */
  ofHeld(start: number, kind: number, end: number, flags: number): Labels {
    if (!this.#isInScope(start, kind, end)) return NONE;
    return this.#withBroader(this.#catalog.ofHeld({ start, kind, end }, flags));
  }

  /**
   * Steps from inside the zone have no labels: principals there are already in the zone, and a member that leaves would change the zone.
   */
  ofEdge(start: number, kind: number, end: number, flags: number): Labels {
    return this.#zone.has(start) ? NONE : this.ofRelation(start, kind, end, flags);
  }

  /** Includes relations from inside the zone, because something outside may be derived from them. */
  ofRelation(start: number, kind: number, end: number, flags: number): Labels {
    if (this.#catalog.isFixed(kind, end, flags)) return NONE;
    if (!this.#isInScope(start, kind, end)) {
      if (kind !== EdgeKind.HasSession) return NONE;
      const separation = this.#catalog.ofSeparation(start, end);
      return separation === undefined ? NONE : this.#kept([separation]);
    }
    return this.#withBroader(this.#catalog.ofEdge({ start, kind, end }, flags));
  }

  #isInScope(start: number, kind: number, end: number): boolean {
    return this.#isNamed(start) || this.#isNamed(end) || this.#isWide(start, kind, end);
  }

  #isNamed(node: number): boolean {
    if (typeof this.#scope === 'string') return this.#scope === 'all';
    return this.#scope.near.has(node);
  }

  #isWide(start: number, kind: number, end: number): boolean {
    if (this.#default.has(start) || WIDE_EDGES.has(kind)) return true;
    if (edgeKindById(kind)?.acl !== true) return false;
    return this.#context.nodesOf('EnterpriseCA').has(end) || this.#context.nodesOf('CertTemplate').has(end);
  }

  #withBroader(place: number | undefined): Labels {
    if (place === undefined) return NONE;
    let labels = this.#ofPlace[place];
    if (labels === undefined) {
      labels = this.#kept([place, ...this.#catalog.broaderThan(place)]);
      this.#ofPlace[place] = labels;
    }
    return labels;
  }

  #kept(places: readonly number[]): Labels {
    const { repairs } = this.#catalog;
    const isExcluded = this.#isExcluded;
    const kept = isExcluded === undefined ? places : places.filter((place) => !isExcluded(repairs[place]));
    return kept.length < 2 ? kept : [...new Set(kept)].sort((a, b) => a - b);
  }
}

export function united(...lists: readonly Labels[]): Labels {
  const full = lists.filter(({ length }) => length > 0);
  if (full.length < 2) return full[0] ?? NONE;
  return [...new Set(full.flat())].sort((a, b) => a - b);
}
