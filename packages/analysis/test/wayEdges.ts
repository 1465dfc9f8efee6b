/** Compares the edges that ways represent, spelled out, with those that the rules derived. */
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../src/analysisContext.ts';
import type { DerivedEdges } from '../src/derivedEdges.ts';
import type { Rule } from '../src/rule.ts';

/**
 * @param context in which the rules have run
 * @returns for rules with ways: `kind start end` of each edge as derived, and as its ways say; both ascending
 */
export function edgesByWays(
  context: AnalysisContext,
  rules: readonly Rule[],
  edges: DerivedEdges,
): { readonly derived: readonly string[]; readonly byWays: readonly string[] } {
  const told = rules.filter((rule) => rule.ways !== undefined && isOn(context, rule));
  const kinds = new Set(told.flatMap(({ produces }) => produces.map((kind) => EdgeKind[kind])));
  const derived = Array.from(edges.starts, (start, at) => `${edges.kinds[at]} ${start} ${edges.ends[at]}`);
  const byWays = new Set<string>();
  for (const rule of told) {
    for (const { kind, starts, ends, isHidden } of rule.ways?.(context.readingFor(rule.name, rule.reads)) ??
      []) {
      if (isHidden === true) continue;
      for (const start of starts) {
        for (const end of ends)
          if (start !== end || rule.selfEdges === true) byWays.add(text(kind, start, end));
      }
    }
  }
  return {
    derived: derived.filter((edge) => kinds.has(Number(edge.split(' ')[0]))).sort(),
    byWays: [...byWays].sort(),
  };
}

const text = (kind: EdgeKindName, start: number, end: number): string => `${EdgeKind[kind]} ${start} ${end}`;

const isOn = ({ options }: AnalysisContext, { feature }: Rule): boolean =>
  feature === undefined || options.features.has(feature);
