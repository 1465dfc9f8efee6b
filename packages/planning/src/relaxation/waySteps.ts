/**
 * Turns ways into steps: needs are in series and alternatives in parallel, so a way is open exactly as long as one alternative of each need
 * remains. The intermediate nodes are appended to those of the graph.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import { type AnalysisContext, type Need, possibleControllers, type Way } from '@clew/analysis';
import { getOrMake, type LabeledStepsBuilder, ListNumbers, type NodeSet } from '@clew/graph';
import { Alternatives, PERMANENT } from './alternatives.ts';
import { grouped, QualifiedStarts, type StartGroup } from './qualifiedStarts.ts';
import { type Labels, NONE, type StepLabels, united } from './stepLabels.ts';

/** @returns whether a step between the two nodes can be on a path */
export type IsUseful = (start: number, end: number) => boolean;

/** The principals that control an account. */
interface Control {
  readonly removable: readonly number[];
  readonly permanent: readonly number[];
}

export class WaySteps {
  readonly #context: AnalysisContext;
  readonly #builder: LabeledStepsBuilder;
  readonly #labels: StepLabels;
  readonly #isUseful: IsUseful;
  readonly #alternatives: Alternatives;
  readonly #qualified: QualifiedStarts;
  readonly #controllers: NodeSet;
  /** Shared entry nodes, keyed by list of starts. */
  readonly #places = new Map<readonly number[], number>();
  /** Keyed by kinds of control, then by account. */
  readonly #controls = new Map<string, Map<number, Control>>();
  readonly #controlLists = new ListNumbers();
  /** Indexed by the numbers of distinct controls. */
  readonly #sameControls: Control[] = [];
  /** Entry nodes of the principals that control an account, by kinds of control, then by account. */
  readonly #entries = new Map<string, Map<number, number>>();

  constructor(
    context: AnalysisContext,
    builder: LabeledStepsBuilder,
    labels: StepLabels,
    isUseful: IsUseful,
  ) {
    this.#context = context;
    this.#builder = builder;
    this.#labels = labels;
    this.#isUseful = isUseful;
    this.#alternatives = new Alternatives(context, labels);
    this.#qualified = new QualifiedStarts(context, this.#alternatives, labels.exceptions);
    this.#controllers = context.use(possibleControllers);
  }

  add(way: Way): void {
    const groups = way.victims === undefined ? this.#startsOf(way) : [];
    const begin = way.victims === undefined ? groups.map(({ starts }) => starts) : [[...way.starts]];
    const ends = way.ends.filter((end) =>
      begin.some((starts) => starts.some((start) => this.#isUseful(start, end))),
    );
    if (ends.length === 0) return;
    const needs = united(...way.needs.map((need: Need) => this.#labels.ofNeed(need)));
    const someone = this.#someone(way);
    if (someone?.length === 0) return;
    const common = someone === undefined || someone === PERMANENT ? [] : [someone];
    const [first] = groups;
    const isOfOne = groups.length === 1 && first.starts.length === 1 && way.endRights === undefined;
    if (way.toEnd !== undefined && !isOfOne)
      throw new Error(
        `a way of ${way.kind} with a relation to each end has several starts, or rights of ends`,
      );
    if (isOfOne && (ends.length === 1 || way.toEnd !== undefined)) {
      const rights = [...common, ...first.rights];
      for (const end of ends) {
        const own = this.#labels.ofEnd(way, end);
        this.#chain(first.starts[0], end, own.length === 0 ? needs : united(needs, own), rights);
      }
      return;
    }
    const [entry, exit] = [this.#builder.newNode(), this.#builder.newNode()];
    if (way.victims === undefined) for (const group of groups) this.#fromGroup(group, entry);
    else this.#fromVictims(way, way.victims, entry, ends);
    this.#chain(entry, exit, needs, common);
    this.#toEnds(way, exit, ends);
  }

  #startsOf({ starts, rights, exceptStarts }: Way): StartGroup[] {
    return rights === undefined
      ? [{ starts: [...starts], rights: [] }]
      : this.#qualified.of(rights, exceptStarts, starts);
  }

  #someone({ someone }: Way): readonly Labels[] | undefined {
    if (someone === undefined) return undefined;
    const { nodes, except, right } = someone;
    return this.#alternatives.ofSomeone(nodes, except, this.#alternatives.held(right));
  }

  #fromGroup({ starts, rights }: StartGroup, entry: number): void {
    if (starts.length === 1 || rights.length === 0) {
      for (const start of starts) this.#chain(start, entry, NONE, rights);
      return;
    }
    let place = this.#places.get(starts);
    if (place === undefined) {
      place = this.#builder.newNode();
      for (const start of starts) this.#builder.add(start, place, NONE);
      this.#places.set(starts, place);
    }
    this.#chain(place, entry, NONE, rights);
  }

  #toEnds({ endRights = [] }: Way, exit: number, ends: readonly number[]): void {
    const held = endRights.map((right) => this.#alternatives.held(right));
    for (const group of grouped(ends, (end) => this.#qualified.rightsOf(end, held))) {
      if (group.starts.length === 1) this.#chain(exit, group.starts[0], NONE, group.rights);
      else if (group.rights.length === 0) for (const end of group.starts) this.#builder.add(exit, end, NONE);
      else {
        const place = this.#builder.newNode();
        this.#chain(exit, place, NONE, group.rights);
        for (const end of group.starts) this.#builder.add(place, end, NONE);
      }
    }
  }

  #fromVictims(
    { rights = [] }: Way,
    { nodes, control }: NonNullable<Way['victims']>,
    entry: number,
    ends: readonly number[],
  ): void {
    const held = rights.map((right) => this.#alternatives.held(right));
    const isOfUse = new Map<number, boolean>();
    const leads = (holder: number): boolean => {
      return getOrMake(isOfUse, holder, () => ends.some((end) => this.#isUseful(holder, end)));
    };
    const kinds = control.join();
    /** Uses by equal control: most accounts are controlled by the same principals in the same way. */
    const uses = new Map<Control, { readonly isRemovable: boolean; readonly permanent: readonly number[] }>();
    const useOf = (victim: number) => {
      const found = this.#controlOf(victim, kinds, control);
      return getOrMake(uses, found, () => ({
        isRemovable: found.removable.some(leads),
        permanent: found.permanent.filter(leads),
      }));
    };
    const controlled: number[] = [];
    nodes.forEach((victim) => {
      const { isRemovable, permanent } = useOf(victim);
      if (isRemovable || permanent.length > 0) controlled.push(victim);
    });
    for (const group of grouped(controlled, (victim) => this.#qualified.rightsOf(victim, held))) {
      const place = group.rights.length === 0 ? entry : this.#builder.newNode();
      if (place !== entry) this.#chain(place, entry, NONE, group.rights);
      const permanent = new Set<number>();
      const seen = new Set<unknown>();
      for (const victim of group.starts) {
        const use = useOf(victim);
        if (use.isRemovable) this.#builder.add(this.#entryOf(victim, kinds, control), place, NONE);
        if (seen.has(use)) continue;
        seen.add(use);
        for (const holder of use.permanent) permanent.add(holder);
      }
      for (const holder of permanent) this.#builder.add(holder, place, NONE);
    }
  }

  /** How the account is controlled through removable and permanent relations, memoized for all ways. */
  #controlOf(victim: number, kinds: string, control: NonNullable<Way['victims']>['control']): Control {
    const known = getOrMake(this.#controls, kinds, () => new Map());
    let found = known.get(victim);
    if (found === undefined) {
      const [removable, permanent] = [new Set<number>(), new Set<number>()];
      this.#context.edges(...control).into(victim, (holder, kind, flags) => {
        if (holder === victim || !this.#controllers.has(holder)) return;
        const labels = this.#labels.ofHeld(holder, kind, victim, flags);
        (labels.length === 0 ? permanent : removable).add(holder);
      });
      const number = this.#controlLists.numberOf([removable.size, ...removable, ...permanent]);
      this.#sameControls[number] ??= { removable: [...removable], permanent: [...permanent] };
      found = this.#sameControls[number];
      known.set(victim, found);
    }
    return found;
  }

  /** Entry node for the principals that control the account through a removable relation, built once for all ways. */
  #entryOf(victim: number, kinds: string, control: NonNullable<Way['victims']>['control']): number {
    const places = getOrMake(this.#entries, kinds, () => new Map());
    const known = places.get(victim);
    if (known !== undefined) return known;
    const place = this.#builder.newNode();
    places.set(victim, place);
    this.#context.edges(...control).into(victim, (holder, kind, flags) => {
      if (holder === victim || !this.#controllers.has(holder)) return;
      const labels = this.#labels.ofHeld(holder, kind, victim, flags);
      if (labels.length > 0) this.#builder.add(holder, place, labels);
    });
    return place;
  }

  /** @param rights alternatives per right, one of which is sufficient */
  #chain(start: number, end: number, needs: Labels, rights: readonly (readonly Labels[])[]): void {
    if (rights.length === 0) {
      this.#builder.add(start, end, needs);
      return;
    }
    const open = rights.filter((each) => each !== PERMANENT);
    const certain = united(needs, ...open.filter(({ length }) => length === 1).map(([only]) => only));
    const choices = new Map(
      open
        .filter(({ length }) => length > 1)
        .map((each) => [each.map((labels) => labels.join()).join(' '), each]),
    );
    if (choices.size === 0) {
      this.#builder.add(start, end, certain);
      return;
    }
    let at = start;
    let left = choices.size;
    let rest = certain;
    for (const alternatives of choices.values()) {
      const next = --left === 0 ? end : this.#builder.newNode();
      for (const labels of alternatives) this.#builder.add(at, next, united(labels, rest));
      rest = NONE;
      at = next;
    }
  }
}
