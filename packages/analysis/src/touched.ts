/** Differences between two sets of facts that may affect readers. */
import type { EdgeKindName, Platform } from '@clew/model';
import type { AnalysisContext, Reads } from './analysisContext.ts';
import type { Rule } from './rule.ts';
import { allReads } from './ruleOrder.ts';

/** The facts that a change may have affected: edge kinds, including derived ones, and property keys. */
export interface Touched {
  readonly kinds: ReadonlySet<string | undefined>;
  readonly keys: ReadonlySet<string>;
  /** Platforms of nodes that were added or removed, or whose kinds, names or environments changed. */
  readonly nodes?: ReadonlySet<Platform>;
}

/** @returns false only if the inputs are certainly the same, apart from nodes */
export function looksAt({ kinds, keys }: Touched, reads: Reads): boolean {
  const { edges, nodeProperties } = allReads(reads);
  return [...edges].some((kind) => kinds.has(kind)) || [...nodeProperties].some((key) => keys.has(key));
}

/** Whether edges of one of these kinds are read, directly or by shared structures. */
export function readsEdgesOf(reads: Reads, kinds: ReadonlySet<EdgeKindName>): boolean {
  return [...allReads(reads).edges].some((kind) => kinds.has(kind));
}

/** @param context context before or after the change @returns false only if the rule certainly derives the same edges */
export function mayDeriveOtherwise(touched: Touched, rule: Rule, context: AnalysisContext): boolean {
  if (looksAt(touched, rule.reads) && looksAt(touched, rule.readsWith?.(context) ?? rule.reads)) return true;
  const { nodes } = touched;
  return nodes !== undefined && nodes.size > 0 && platformsOf(rule).some((platform) => nodes.has(platform));
}

/** A rule finds nodes by kind or through the edges that it reads: a rule only about Azure has only Azure edges. */
function platformsOf({ reads, produces }: Rule): readonly Platform[] {
  const isAzure = [...allReads(reads).edges, ...produces].map((kind) => kind.startsWith('AZ'));
  if (isAzure.every((one) => one)) return ['azure'];
  return isAzure.some((one) => one) ? ['ad', 'azure'] : ['ad'];
}
