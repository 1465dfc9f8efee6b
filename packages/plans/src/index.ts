/** The parts of plans needed to make a generation. */

export { PLAN_PROPERTIES } from './tasks/planReads.ts';
