export * from './analyse.ts';
export {
  AnalysisContext,
  type AnalysisInput,
  type AnalysisOptions,
  type RulesMode,
} from './analysisContext.ts';
export type { Composition } from './composition.ts';
export type { DerivedEdges } from './derivedEdges.ts';
export * from './directory/wellKnownGroups.ts';
export * from './features.ts';
export type { EdgeRef, Rule } from './rule.ts';
export { RULES } from './rules.ts';
