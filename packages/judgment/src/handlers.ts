/** Handlers of findings, zones, posture, quality, plans and webhooks for the service, and the work that no request starts. */

export { syncExtensionChecks } from './findings/checks/storedChecks.ts';
export { storedRatings } from './findings/environmentRatings.ts';
export { syncExtensionRules } from './findings/zones/extensionRules.ts';
export { judgmentHandlers, openPlanners, startJudgment } from './openJudgment.ts';
export { extensionPreview } from './plan/extensionPreview.ts';
export { storedUnread } from './quality/qualityQueries.ts';
export { countDeliveries } from './webhooks/deliveries.ts';
