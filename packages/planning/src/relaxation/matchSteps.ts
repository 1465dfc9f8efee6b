/**
 * Steps of the edges that patterns of definitions derive: one step per match, with the repairs of everything in the match. Edges derived
 * from derived edges are expanded to rows of steps, so a step is open exactly as long as a match is intact.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import type { AnalysisContext, EdgeRef, Match } from '@clew/analysis';
import { type EdgeFilter, findEdge, type LabeledStepsBuilder, NO_EDGE } from '@clew/graph';
import { EXCEPTIONS } from './exceptions.ts';
import { type Labels, NONE, type StepLabels, united } from './stepLabels.ts';

/**
 * Maximum number of steps over all matches; beyond it, derived edges are permanent. Patterns that read each other multiply their matches.
 */
const MAX_STEPS = EXCEPTIONS['many-matches'].limit;

export class MatchSteps {
  readonly #context: AnalysisContext;
  readonly #builder: LabeledStepsBuilder;
  readonly #labels: StepLabels;
  readonly #isStep: EdgeFilter;
  #steps = 0;

  constructor(
    context: AnalysisContext,
    builder: LabeledStepsBuilder,
    labels: StepLabels,
    isStep: EdgeFilter,
  ) {
    this.#isStep = isStep;
    this.#context = context;
    this.#builder = builder;
    this.#labels = labels;
  }

  derives(kind: number): boolean {
    return this.#context.options.matches?.derives(kind) === true;
  }

  /** @returns whether all steps of the edge were added */
  add(edge: EdgeRef, flags: number): boolean {
    const matches = this.#matchesOf(edge);
    if (matches === undefined) return false;
    const { start, kind, end } = edge;
    if (this.#steps > MAX_STEPS) {
      this.#labels.exceptions.note('many-matches', start);
      return false;
    }
    const own = this.#labels.ofEdge(start, kind, end, flags);
    this.#alternatives(start, end, matches, own);
    if (this.#steps > MAX_STEPS) this.#labels.exceptions.note('many-matches', start);
    return true;
  }

  #matchesOf(edge: EdgeRef): readonly Match[] | undefined {
    const { options, graph } = this.#context;
    return options.matches?.of(graph, edge);
  }

  /** @param certain additional labels that every match needs */
  #alternatives(from: number, to: number, matches: readonly Match[], certain: Labels): void {
    const simple = new Map<string, Labels>();
    for (const match of matches) {
      const { labels, rows } = this.#requirements(match, certain);
      if (rows.length === 0) simple.set(labels.join(), labels);
      else this.#row(from, to, rows, labels);
    }
    // A permanent alternative makes the others redundant.
    const permanent = simple.get('');
    for (const labels of permanent === undefined ? simple.values() : [permanent])
      this.#step(from, to, labels);
  }

  #row(from: number, to: number, rows: readonly (readonly Match[])[], certain: Labels): void {
    let at = from;
    for (const [place, matches] of rows.entries()) {
      const next = place === rows.length - 1 ? to : this.#builder.newNode();
      this.#alternatives(at, next, matches, place === 0 ? certain : NONE);
      at = next;
    }
  }

  #step(from: number, to: number, labels: Labels): void {
    this.#steps++;
    this.#builder.add(from, to, this.#steps > MAX_STEPS ? NONE : labels);
  }

  /** @returns labels that are always needed, and edges for which one of several matches is needed */
  #requirements(
    match: Match,
    certain: Labels,
  ): { readonly labels: Labels; readonly rows: readonly (readonly Match[])[] } {
    let labels = certain;
    const rows: (readonly Match[])[] = [];
    for (const need of match) {
      const { graph } = this.#context;
      const number = findEdge(graph, need.start, need.kind, need.end);
      if (number === NO_EDGE) continue;
      labels = united(labels, this.#labelsOf(need, graph.out.flags[number]));
      const matches = this.#matchesOf(need);
      if (matches !== undefined) rows.push(matches);
    }
    return { labels, rows };
  }

  /**
   * A relationship that is itself a step has the labels of that step, so both are removed together; relationships inside the zone have
   * none.
   */
  #labelsOf({ start, kind, end }: EdgeRef, flags: number): Labels {
    return this.#isStep.allows[kind] === 1
      ? this.#labels.ofEdge(start, kind, end, flags)
      : this.#labels.ofRelation(start, kind, end, flags);
  }
}
