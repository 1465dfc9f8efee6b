/**
 * Groups findings of a list by the one change that closes them. Otherwise a single setting of all controllers would fill a page
 * with one row per account. A change counts only if it closes a finding by itself.
 *
 * Rule: `docs/findings.md#order`.
 */
import { type AnalysisContext, type EdgeRef, edgeKindsOf, findingTypesOf, RULES } from '@clew/analysis';
import { addCount, addTo, findEdge, getOrMake, NO_EDGE, NodeSet, throwIfCanceled } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { Alternatives } from '../relaxation/alternatives.ts';
import { type Labels, NONE, StepLabels, united } from '../relaxation/stepLabels.ts';
import { isPossible } from '../repairs/possibleChanges.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import type { FindingKey } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, findingsOf, tierZeroOf } from '../simulation/simulate.ts';
import { repairsOfSettings } from './evidence.ts';
import { relationsOfCheck } from './foundRelations.ts';
import { common, type RemovalInput, removalsOfRights, removingAlone } from './removal.ts';

export interface CommonRepair {
  readonly repair: Repair;
  /** At least two findings, and more than the findings of one type that a single principal can use. */
  readonly findings: readonly FindingKey[];
}

/** Maximum number of (way, relationship) pairs to examine; beyond it, findings are grouped by holder. */
const MAX_PAIRS = 500_000;

/**
 * @param isExcluded true for repairs that constraints exclude
 * @returns each finding at most once, with the repair that closes most findings @throws CanceledError
 */
export function commonRepairs(
  world: AnalyzedWorld,
  findings: Iterable<FindingKey> = findingsOf(world).values(),
  isExcluded?: (repair: Repair) => boolean,
): CommonRepair[] {
  const catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  const all = [...findings];
  const closers = new Closers(world.context, catalog).of(all);
  const possible = new Map<number, boolean>();
  const canBeMade = (place: number): boolean =>
    getOrMake(possible, place, () => {
      const repair = catalog.repairs[place] as Repair;
      return isPossible(world.context, repair) && isExcluded?.(repair) !== true;
    });
  const counts = new Map<number, number>();
  const ofHolder = new Map<string, number>();
  for (const finding of all) {
    const holder = holderOf(finding);
    addCount(ofHolder, holder);
    for (const place of closers.get(finding) ?? NONE) addCount(counts, place);
  }
  const countOf = (place: number): number => counts.get(place) ?? 0;
  const costOf = (place: number): number => {
    const { cost, kind } = catalog.repairs[place] as Repair;
    return cost ?? DEFAULT_COSTS[kind];
  };
  const found = new Map<number, FindingKey[]>();
  for (const finding of all) {
    const [best] = [...(closers.get(finding) ?? NONE)]
      .filter(canBeMade)
      .sort((one, other) => countOf(other) - countOf(one) || costOf(one) - costOf(other) || one - other);
    // Rights of one type held by one principal are also removed together.
    if (best === undefined || countOf(best) <= (ofHolder.get(holderOf(finding)) ?? 0)) continue;
    addTo(found, best, finding);
  }
  return [...found]
    .filter(([, { length }]) => length > 1)
    .map(([place, closed]) => ({ repair: catalog.repairs[place] as Repair, findings: closed }));
}

const holderOf = ({ type, source, environment }: FindingKey): string =>
  source === undefined ? `setting ${type} ${environment}` : `rights ${type} ${source}`;

/** Finds the repairs that close a finding alone. */
class Closers {
  readonly #context: AnalysisContext;
  readonly #catalog: RepairCatalog;
  readonly #labels: StepLabels;
  readonly #input: RemovalInput;
  /** For derived relationships, by kind and ends: the repairs that close every way seen so far. */
  readonly #derived = new Map<number, Map<string, Labels | undefined>>();

  constructor(context: AnalysisContext, catalog: RepairCatalog) {
    this.#context = context;
    this.#catalog = catalog;
    const none = NodeSet.empty(context.graph.nodeCount);
    this.#labels = new StepLabels(context, catalog, { zone: none, groups: none, scope: 'all' });
    this.#input = { context, labels: this.#labels, alternatives: new Alternatives(context, this.#labels) };
  }

  of(findings: readonly FindingKey[]): ReadonlyMap<FindingKey, Labels> {
    const edges = new Map(findings.map((finding) => [finding, this.#edgesOf(finding)]));
    for (const each of edges.values()) for (const edge of each) if (this.#isDerived(edge)) this.#note(edge);
    for (const rule of RULES) if (rule.ways !== undefined) this.#walk(rule.name);
    return new Map(
      findings.map((finding) => [
        finding,
        // A repair that removes all relationships of a check closes its finding.
        finding.source === undefined && (edges.get(finding) ?? []).length === 0
          ? this.#ofSetting(finding)
          : common((edges.get(finding) ?? []).map((edge) => this.#ofEdge(edge))),
      ]),
    );
  }

  #edgesOf({ type, source, target }: FindingKey): EdgeRef[] {
    const found = findingTypesOf(this.#context.graph)[type];
    if (found.kind === 'list' && found.check !== undefined)
      return relationsOfCheck({ context: this.#context }, found.check, target);
    if (found.kind !== 'relationship' || source === undefined) return [];
    return edgeKindsOf(found)
      .map((kind) => ({ start: source, kind, end: target }))
      .filter(({ start, kind, end }) => findEdge(this.#context.graph, start, kind, end) !== NO_EDGE);
  }

  #flagsOf({ start, kind, end }: EdgeRef): number {
    const { graph } = this.#context;
    return graph.out.flags[findEdge(graph, start, kind, end)];
  }

  #isDerived(edge: EdgeRef): boolean {
    return RULES_OF_KIND.has(edge.kind) && (this.#flagsOf(edge) & EdgeFlag.Derived) !== 0;
  }

  #note({ start, kind, end }: EdgeRef): void {
    const known = this.#derived.get(kind);
    const key = `${start} ${end}`;
    if (known === undefined) this.#derived.set(kind, new Map([[key, undefined]]));
    else known.set(key, undefined);
  }

  #ofEdge(edge: EdgeRef): Labels {
    if (this.#isDerived(edge)) return this.#derived.get(edge.kind)?.get(`${edge.start} ${edge.end}`) ?? NONE;
    const own = this.#labels.ofEdge(edge.start, edge.kind, edge.end, this.#flagsOf(edge));
    const matches = this.#context.options.matches?.of(this.#context.graph, edge);
    // Each match is sufficient for the relationship, so only repairs common to all matches close it.
    return matches === undefined
      ? own
      : united(own, common(matches.map((needs) => united(...needs.map((need) => this.#ofEdge(need))))));
  }

  #ofSetting({ type, target }: FindingKey): Labels {
    const places = repairsOfSettings(
      this.#context,
      this.#catalog,
      findingTypesOf(this.#context.graph)[type].id,
      target,
    );
    return united(...places.map((place) => [place, ...this.#catalog.broaderThan(place)]));
  }

  /** Visits all ways of a rule once, for any number of relationships. */
  #walk(name: string): void {
    const rule = RULES.find((one) => one.name === name);
    if (rule?.ways === undefined) return;
    const kinds = rule.produces.flatMap((kind) => this.#derived.get(EdgeKind[kind]) ?? []);
    if (kinds.length === 0) return;
    const byEnd = new Map<number, number[]>();
    for (const pair of new Set(kinds.flatMap((pairs) => [...pairs.keys()]))) {
      const [start, end] = pair.split(' ').map(Number);
      byEnd.set(end, [...(byEnd.get(end) ?? []), start]);
    }
    let pairs = 0;
    for (const way of rule.ways(this.#context.readingFor(rule.name, rule.reads))) {
      const known = this.#derived.get(EdgeKind[way.kind]);
      const ends = way.ends.filter((end) => byEnd.has(end));
      if (way.isHidden || known === undefined || ends.length === 0) continue;
      throwIfCanceled(this.#context.cancel);
      const starts = new Set(way.starts);
      const ofAll = united(...way.needs.map((need) => this.#labels.ofNeed(need)));
      for (const end of ends) {
        const needs = united(ofAll, this.#labels.ofEnd(way, end));
        for (const start of byEnd.get(end) ?? []) {
          const key = `${start} ${end}`;
          if (!starts.has(start) || !known.has(key)) continue;
          const before = known.get(key);
          if (before === NONE) continue;
          const rights = ++pairs > MAX_PAIRS ? undefined : removalsOfRights(this.#input, way, start, end);
          const own = rights === undefined ? NONE : united(needs, ...rights.map(removingAlone));
          known.set(key, common(before === undefined ? [own] : [before, own]));
        }
      }
    }
  }
}

const RULES_OF_KIND: ReadonlySet<number> = new Set(
  RULES.flatMap(({ ways, produces }) => (ways === undefined ? [] : produces.map((kind) => EdgeKind[kind]))),
);
