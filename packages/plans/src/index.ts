/** The parts of plans that a generation needs. */

export { PLAN_PROPERTIES } from './tasks/planReads.ts';
