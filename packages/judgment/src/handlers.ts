/** Handlers of findings, zones, posture, quality and webhooks, and their background work. */

export { syncExtensionChecks } from './findings/checks/storedChecks.ts';
export { storedRatings } from './findings/environmentRatings.ts';
export { environmentTimes } from './findings/environmentTimes.ts';
export { visibleEnvironments, zoneOf } from './findings/http/askedScope.ts';
export { unifiedFinding } from './findings/http/findingRecords.ts';
export type { LeavingOut, PlanLeaving } from './findings/http/leavingOut.ts';
export { zoneRecords } from './findings/http/zoneRecords.ts';
export { findingSettings } from './findings/settings.ts';
export { syncExtensionRules } from './findings/zones/extensionRules.ts';
export { judgmentHandlers, startJudgment } from './openJudgment.ts';
export { countDeliveries, countWebhooks, replacedSecretEnds } from './webhooks/deliveries.ts';
export { resealWebhooks } from './webhooks/resealWebhooks.ts';
