/** State of a match during planning: the matched parts, the steps that match them, and the open conditions. */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import type { Uses } from '../compile/uses.ts';
import { noType } from '../names/unknownNames.ts';
import type { RunContext } from '../run/context.ts';
import { Anchors, labelSets } from './anchors.ts';
import type { Turn } from './copies.ts';
import type { Elements, NodeElement, RelationshipElement } from './elements.ts';
import { FollowedTypes } from './followedTypes.ts';
import type { LateConditions } from './lateConditions.ts';
import { OpenConditions } from './openConditions.ts';
import { countedStep, type PlanLine, type Stage } from './planLine.ts';
import type { Step } from './steps.ts';
import { mayBeSame, wantedOf } from './wanted.ts';

export interface PlanOptions extends Uses {
  /** Receives the steps in order; absent for a match within an expression. */
  readonly plan?: (stage: Stage) => void;
}

/** Number of possible types of relationships. */
export const TYPE_COUNT = 0x1_0000;

export class MatchState {
  readonly elements: Elements;
  readonly compiler: ExpressionCompiler;
  readonly context: RunContext;
  readonly outer: Scope;
  readonly options: PlanOptions;
  readonly steps: Step[] = [];
  /** Names of the matched parts. */
  readonly found = new Set<string>();
  /** Keyed by type names; shared, because each set of followed types takes 64 KiB. */
  readonly #types = new Map<string, FollowedTypes>();
  readonly conditions: OpenConditions;
  readonly anchors: Anchors;
  /** Relationships and paths whose values are needed. */
  readonly wanted: ReadonlySet<string>;
  /** Relationships that are not matched yet. */
  readonly left: Set<RelationshipElement>;
  readonly turn: Turn = { now: 0 };
  /** For each search for shortest paths that has such conditions. */
  readonly late: LateConditions[] = [];

  constructor(
    elements: Elements,
    compiler: ExpressionCompiler,
    context: RunContext,
    outer: Scope,
    options: PlanOptions,
  ) {
    this.elements = elements;
    this.compiler = compiler;
    this.context = context;
    this.outer = outer;
    this.options = options;
    this.conditions = new OpenConditions(elements, compiler, context, options.plan !== undefined);
    this.anchors = new Anchors(elements, compiler, context, outer, this.found);
    this.left = new Set(elements.relationships);
    this.wanted = wantedOf(elements, options.names);
  }

  typesOf({ pattern }: RelationshipElement): FollowedTypes | undefined {
    if (pattern.types.length === 0) return undefined;
    const key = pattern.types.join('|');
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    this.context.budget.reserve(TYPE_COUNT);
    const allowed = new Uint8Array(TYPE_COUNT);
    const followed = new FollowedTypes(allowed);
    this.#types.set(key, followed);
    for (const name of pattern.types) {
      const numbers = this.context.graph.types(name);
      if (numbers.length === 0) this.context.warn(noType(name, this.context.graph));
      for (const number of numbers) allowed[number] = 1;
    }
    return followed;
  }

  /** @returns `undefined` if all nodes match */
  labelTest({ labels }: NodeElement): ((node: number) => boolean) | undefined {
    if (labels.length === 0) return undefined;
    const all = labels.map((names) => labelSets(names, this.context));
    if (all.length === 1 && all[0].length === 1) {
      const [[only]] = all;
      return (node) => only.has(node);
    }
    return (node) => all.every((any) => any.some((set) => set.has(node)));
  }

  /** Whether a later part of the match reads this name. */
  isLive(name: string): boolean {
    const { names } = this.options;
    if (names === undefined || names.has(name)) return true;
    for (const { needs } of this.conditions.open) if (needs.has(name)) return true;
    for (const { from, to } of this.left) if (from.name === name || to.name === name) return true;
    return this.elements.paths.some(
      (path) =>
        this.wanted.has(path.name) &&
        [...path.nodes, ...path.relationships].some((element) => element.name === name),
    );
  }

  isFound(node: NodeElement): boolean {
    return node.isGiven || this.found.has(node.name);
  }

  add(step: Step, line: Omit<PlanLine, 'rows'>, hasLabels?: Stage['hasLabels']): void {
    const counted: PlanLine = { ...line, rows: 0 };
    this.options.plan?.({
      ...{ line: counted, conditions: this.conditions.takeCounts() },
      ...(hasLabels && { hasLabels }),
    });
    this.steps.push(countedStep(step, counted, this.context.profile === true));
  }

  isUsedElsewhere(relationship: RelationshipElement): boolean {
    const { relationships, conditions } = this.elements;
    this.context.budget.spend(relationships.length + conditions.length);
    const others = relationships.filter((other) => other !== relationship);
    if (others.some((other) => mayBeSame(relationship, other))) return true;
    return conditions.some(({ needs }) => needs.has(relationship.name));
  }

  /** Whether matched relationships are read later. */
  keepsRelationships(): boolean {
    return this.elements.relationships.some(
      (relationship) =>
        !relationship.isGiven &&
        this.found.has(relationship.name) &&
        (this.isLive(relationship.name) || [...this.left].some((other) => mayBeSame(relationship, other))),
    );
  }
}
