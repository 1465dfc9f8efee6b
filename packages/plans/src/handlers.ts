/** Handlers of plans, inbox and reports for the service, and the work that no request starts. */

export { extensionPreview } from './http/extensionPreview.ts';
export { planLeaving } from './http/leaveOut.ts';
export { openPlanners, plansHandlers, startPlans } from './openPlans.ts';
