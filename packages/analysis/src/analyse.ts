/**
 * The analysis: from the collected graph to everything that follows from it. A pure function of its input:
 * equal facts give equal edges in equal order.
 */
import { CancelledError } from '@clew/graph';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { AnalysisContext, type AnalysisInput } from './analysisContext.ts';
import { type Composition, EMPTY_COMPOSITION } from './composition.ts';
import { type DerivedEdges, type DerivedKindEdges, EdgeSink, uniteDerivedEdges } from './derivedEdges.ts';
import type { EdgeRef } from './edgeRef.ts';
import { defaultFeatures, type FeatureName } from './features.ts';
import type { Rule } from './rule.ts';
import { allReads, type EdgePropertyReads, edgePropertyReads, orderRules, rulesBefore } from './ruleOrder.ts';
import { RULES } from './rules.ts';

/** What became of one rule. */
export interface RuleReport {
  readonly name: string;
  readonly kinds: readonly EdgeKindName[];
  /**
   * `off`: its feature is off, no edge of its kinds is left. `failed`: it broke, or a rule it builds on did;
   * edges of its kinds from an earlier run should be kept.
   */
  readonly status: 'done' | 'off' | 'failed';
  /** Number of edges derived. */
  readonly edges: number;
  readonly ms: number;
  readonly error?: unknown;
}

export interface AnalysisResult {
  readonly edges: DerivedEdges;
  /** In the order in which the rules ran. */
  readonly perRule: readonly RuleReport[];
  readonly warnings: readonly string[];
}

/**
 * Runs every rule whose feature is on. A rule that breaks does not stop the others, except those that read
 * what it should have derived.
 * @throws CancelledError
 */
export function analyse(
  facts: AnalysisInput | AnalysisContext,
  rules: readonly Rule[] = RULES,
): AnalysisResult {
  const context = contextOf(facts);
  const producers = new Map(rules.flatMap((rule) => rule.produces.map((kind) => [kind, rule] as const)));
  const failed = new Set<Rule>();
  const derived: DerivedKindEdges[] = [];
  const perRule: RuleReport[] = [];
  for (const rule of orderRules(rules)) {
    context.throwIfCancelled();
    const broken = rulesBefore(rule, producers).find((other) => failed.has(other));
    const outcome =
      broken === undefined
        ? runRule(rule, context)
        : { status: 'failed' as const, parts: [], error: new Error(`the rule ${broken.name} failed before`) };
    if (outcome.status === 'failed') failed.add(rule);
    for (const part of outcome.parts) context.addDerived(part);
    derived.push(...outcome.parts);
    perRule.push({
      name: rule.name,
      kinds: rule.produces,
      status: outcome.status,
      edges: outcome.parts.reduce((sum, part) => sum + part.starts.length, 0),
      ms: 'ms' in outcome ? outcome.ms : 0,
      ...('error' in outcome ? { error: outcome.error } : {}),
    });
  }
  return { edges: uniteDerivedEdges(derived), perRule, warnings: context.warnings };
}

/**
 * Explains one derived edge from the graph that holds it (derived edges included).
 * @param facts a context instead of an input makes further questions about the same graph cheap
 * @returns an empty composition for a kind that nothing stands behind, or an edge that does not follow
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
 * @returns nodes that authentication coerced along this edge could be relayed to, ascending
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

/** @returns keys of node properties that some rule reads, ascending: the columns a loader fetches. */
export function requiredProperties(rules: readonly Rule[] = RULES): string[] {
  return [...allReads(...rules.map((rule) => rule.reads)).nodeProperties].sort();
}

/** @returns edge properties (beyond `EdgeFlag`) that some rule reads. */
export function requiredEdgeProperties(rules: readonly Rule[] = RULES): EdgePropertyReads {
  return edgePropertyReads(...rules.map((rule) => rule.reads));
}

function ruleOf(edge: EdgeRef, rules: readonly Rule[]): Rule | undefined {
  const name = edgeKindById(edge.kind)?.name;
  return rules.find((rule) => rule.produces.some((kind) => kind === name));
}

type Outcome =
  | { readonly status: 'done' | 'off'; readonly parts: DerivedKindEdges[]; readonly ms: number }
  | {
      readonly status: 'failed';
      readonly parts: DerivedKindEdges[];
      readonly ms: number;
      readonly error: unknown;
    };

function runRule(rule: Rule, context: AnalysisContext): Outcome {
  const sink = new EdgeSink(rule.produces, rule.selfEdges ?? false);
  const on = rule.feature === undefined || context.options.features.has(rule.feature);
  if (!on) return { status: 'off', parts: sink.seal(), ms: 0 };
  const began = performance.now();
  try {
    rule.derive(context.readingFor(rule.name, rule.reads), sink);
    return { status: 'done', parts: sink.seal(), ms: performance.now() - began };
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    return { status: 'failed', parts: [], ms: performance.now() - began, error };
  }
}

/** @returns options as they are unless chosen otherwise. */
export function defaultOptions(): { rules: 'clean'; features: Set<FeatureName> } {
  return { rules: 'clean', features: defaultFeatures() };
}
