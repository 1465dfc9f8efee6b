export * from './cypherError.ts';
export * from './graph/propertyGraph.ts';
export type { PlanLine } from './match/matchPlanner.ts';
export * from './propertyReads.ts';
export { DEFAULT_LIMITS, type QueryLimits } from './run/budget.ts';
export * from './runQuery.ts';
export { parse } from './syntax/parser.ts';
export { TemporalValue } from './values/temporal.ts';
export * from './values/values.ts';
