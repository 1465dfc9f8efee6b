/** The parts of plans that making a generation needs. */

export { PLAN_PROPERTIES } from './tasks/planReads.ts';
