/** Helpers that tests of other packages share with those of this one. */

export { planLeaving } from './http/leaveOut.ts';
export { makeDue } from './reports/scheduledReports.ts';
export { type PlanMakerOptions, startPlanMaker } from './run/planMaker.ts';
export { withAccepted } from './stored/acceptedOnCards.ts';
export { type AdoptionFacts, adoptionOf, followAdoption } from './tasks/adoption.ts';
export { changeKitRecord } from './tasks/changeKits.ts';
export type { ConstraintFacts } from './tasks/constraints.ts';
export { pathRepairs } from './tasks/pathRepairs.ts';
export type { PlanState } from './tasks/planState.ts';
export { referenceOf } from './tasks/repairRecords.ts';
export { repairsOf } from './tasks/requestedChange.ts';
export type { PlanThreadOptions } from './threads/planMessages.ts';
export { Planner } from './threads/planner.ts';
