/** Helpers that tests of other packages share with those of this one. */

export { planLeaving } from './http/leaveOut.ts';
export { makeDue } from './reports/scheduledReports.ts';
export { type PlanMakerOptions, startPlanMaker } from './run/planMaker.ts';
export { withAccepted } from './stored/acceptedOnCards.ts';
export type { PlanThreadOptions } from './threads/planMessages.ts';
export { Planner } from './threads/planner.ts';
export { type AdoptionFacts, adoptionOf, followAdoption } from './work/adoption.ts';
export { changeKitRecord } from './work/changeKits.ts';
export type { ConstraintFacts } from './work/constraints.ts';
export { pathRepairs } from './work/pathRepairs.ts';
export type { PlanState } from './work/planState.ts';
export { referenceOf } from './work/repairRecords.ts';
export { repairsOf } from './work/requestedChange.ts';
