/** Handlers of plans, inbox and reports, and their background work. */

export { extensionPreview } from './http/extensionPreview.ts';
export { planLeaving } from './http/leaveOut.ts';
export { openPlanners, plansHandlers, startPlans } from './openPlans.ts';
