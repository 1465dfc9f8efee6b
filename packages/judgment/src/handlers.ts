/** Handlers of findings, zones, posture, quality, plans and webhooks for the service. */

export { syncExtensionChecks } from './findings/checks/storedChecks.ts';
export { storedRatings } from './findings/environmentRatings.ts';
export { combinedHandlers } from './findings/http/combined/combinedHandlers.ts';
export { findingHandlers } from './findings/http/findingHandlers.ts';
export { syncExtensionRules } from './findings/zones/extensionRules.ts';
export { extensionPreview } from './plan/extensionPreview.ts';
export { planHandlers } from './plan/planHandlers.ts';
export { startPlanMaker } from './plan/planMaker.ts';
export type { PlanThreadOptions } from './plan/planMessages.ts';
export { Planner } from './plan/planner.ts';
export { answering } from './plan/planParts.ts';
export { qualityHandlers } from './quality/qualityHandlers.ts';
export { storedUnread } from './quality/qualityQueries.ts';
export { countDeliveries } from './webhooks/deliveries.ts';
export { webhookHandlers } from './webhooks/webhookHandlers.ts';
export { startWebhooks } from './webhooks/webhooks.ts';
