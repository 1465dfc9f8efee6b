/**
 * The analysis: derives everything that follows from the collected graph. A pure function of its input: equal facts give equal edges in
 * equal order.
 */
import { CanceledError, type NodeSet } from '@clew/graph';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { AnalysisContext, type AnalysisInput } from './analysisContext.ts';
import { type Composition, EMPTY_COMPOSITION } from './composition.ts';
import { type DerivedEdges, type DerivedKindEdges, EdgeSink, mergeDerivedEdges } from './derivedEdges.ts';
import type { EdgeRef } from './edgeRef.ts';
import { defaultFeatures, type FeatureName } from './features.ts';
import type { Rule } from './rule.ts';
import { allReads, type EdgePropertyReads, edgePropertyReads, orderRules, rulesBefore } from './ruleOrder.ts';
import { RULES } from './rules.ts';

/** The outcome of one rule. */
export interface RuleReport {
  readonly name: string;
  readonly kinds: readonly EdgeKindName[];
  /**
   * `off`: its feature is off, and edges of its kinds are removed. `failed`: the rule or one that it depends on failed; edges of its kinds
   * from an earlier run should be kept.
   */
  readonly status: 'done' | 'off' | 'failed';
  /** Number of derived edges. */
  readonly edges: number;
  readonly ms: number;
  readonly error?: unknown;
}

/** The edges derived by one rule. */
export interface RuleRun {
  readonly rule: Rule;
  readonly report: RuleReport;
  /** One part per kind that the rule produces; empty if the rule failed. */
  readonly parts: readonly DerivedKindEdges[];
  readonly warnings: readonly string[];
  /** Ends of the derived edges, if only some were derived. @see Rule.changedEnds */
  readonly among?: NodeSet;
}

export interface AnalysisResult {
  readonly edges: DerivedEdges;
  /** In execution order. */
  readonly runs: readonly RuleRun[];
  /** In execution order. */
  readonly perRule: readonly RuleReport[];
  readonly warnings: readonly string[];
}

/**
 * Runs every rule whose feature is on. A failed rule does not stop the others, except those that read its edges.
 * @param amongOf the ends for which a rule derives edges, if not all @see Rule.changedEnds
 * @throws CanceledError
 */
export function analyze(
  facts: AnalysisInput | AnalysisContext,
  rules: readonly Rule[] = RULES,
  amongOf: (rule: Rule, context: AnalysisContext) => NodeSet | undefined = () => undefined,
): AnalysisResult {
  const context = contextOf(facts);
  const producers = new Map(rules.flatMap((rule) => rule.produces.map((kind) => [kind, rule] as const)));
  const failed = new Set<Rule>();
  const runs: RuleRun[] = [];
  for (const rule of orderRules(rules)) {
    const broken = rulesBefore(rule, producers).find((other) => failed.has(other));
    const run = broken === undefined ? runRule(rule, context, amongOf) : cannotRun(rule, broken);
    if (run.report.status === 'failed') failed.add(rule);
    runs.push(run);
  }
  return {
    edges: mergeDerivedEdges(runs.flatMap(({ parts }) => parts)),
    runs,
    perRule: runs.map(({ report }) => report),
    warnings: warningsOf(runs),
  };
}

/** Returns each warning once, because rules share the structures that warn. */
export function warningsOf(runs: readonly RuleRun[]): string[] {
  return [...new Set(runs.flatMap(({ warnings }) => warnings))];
}

/**
 * Explains one derived edge in a graph that contains it, with its derived edges.
 * @param facts a context instead of an input makes further questions about the same graph cheap
 * @returns an empty composition for a kind without explanations, or an edge that is not derived
 */
export function compose(
  facts: AnalysisInput | AnalysisContext,
  edge: EdgeRef,
  rules: readonly Rule[] = RULES,
): Composition {
  const rule = ruleOf(edge, rules);
  return rule?.compose?.(contextFor(rule, facts), edge) ?? EMPTY_COMPOSITION;
}

/**
 * @param facts as for `compose`
 * @returns nodes to which authentication coerced along this edge could be relayed, ascending
 */
export function relayTargets(
  facts: AnalysisInput | AnalysisContext,
  edge: EdgeRef,
  rules: readonly Rule[] = RULES,
): Uint32Array {
  const rule = ruleOf(edge, rules);
  return rule?.relayTargets?.(contextFor(rule, facts), edge) ?? new Uint32Array(0);
}

function contextFor(rule: Rule, facts: AnalysisInput | AnalysisContext): AnalysisContext {
  return contextOf(facts).readingFor(rule.name, rule.reads);
}

function contextOf(facts: AnalysisInput | AnalysisContext): AnalysisContext {
  return facts instanceof AnalysisContext ? facts : new AnalysisContext(facts);
}

/** @returns keys of node properties that rules read, ascending: the columns to load */
export function requiredProperties(rules: readonly Rule[] = RULES): string[] {
  return [...allReads(...rules.map((rule) => rule.reads)).nodeProperties].sort();
}

/** @returns edge properties (other than `EdgeFlag`) that rules read */
export function requiredEdgeProperties(rules: readonly Rule[] = RULES): EdgePropertyReads {
  return edgePropertyReads(...rules.map((rule) => rule.reads));
}

function ruleOf(edge: EdgeRef, rules: readonly Rule[]): Rule | undefined {
  const name = edgeKindById(edge.kind)?.name;
  return rules.find((rule) => rule.produces.some((kind) => kind === name));
}

/** Runs a rule and makes its edges visible to later rules. @throws CanceledError */
export function runRule(
  rule: Rule,
  context: AnalysisContext,
  amongOf: (rule: Rule, context: AnalysisContext) => NodeSet | undefined = () => undefined,
): RuleRun {
  context.throwIfCanceled();
  const sink = new EdgeSink(rule.produces, rule.selfEdges ?? false);
  const on = rule.feature === undefined || context.options.features.has(rule.feature);
  const warned = context.warnings.length;
  const began = performance.now();
  try {
    const among = on ? amongOf(rule, context) : undefined;
    if (on && among?.isEmpty !== true) rule.derive(context.readingFor(rule.name, rule.reads), sink, among);
    const parts = sink.seal();
    for (const part of parts) context.addDerived(part);
    const edges = parts.reduce((sum, part) => sum + part.starts.length, 0);
    const report = { name: rule.name, kinds: rule.produces, edges, ms: performance.now() - began };
    return {
      rule,
      parts,
      report: { ...report, status: on ? 'done' : 'off' },
      warnings: context.warnings.slice(warned),
      ...(among !== undefined && { among }),
    };
  } catch (error) {
    if (error instanceof CanceledError) throw error;
    return failedRun(rule, error, performance.now() - began);
  }
}

const cannotRun = (rule: Rule, broken: Rule): RuleRun =>
  failedRun(rule, new Error(`the rule ${broken.name} failed before`), 0);

const failedRun = (rule: Rule, error: unknown, ms: number): RuleRun => ({
  rule,
  parts: [],
  report: { name: rule.name, kinds: rule.produces, status: 'failed', edges: 0, ms, error },
  warnings: [],
});

/** @returns the default options */
export function defaultOptions(): { rules: 'clean'; features: Set<FeatureName> } {
  return { rules: 'clean', features: defaultFeatures() };
}
