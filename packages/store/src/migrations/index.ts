/**
 * All migrations of the schema, in order. To add one: write a file in this folder that exports a `Migration`, add it at the end of the
 * list, and declare its tables in `tables/` and `schema.ts`.
 */
import { graphMigration } from './001-graph.ts';
import { uploadsMigration } from './002-uploads.ts';
import { identityMigration } from './003-identity.ts';
import { findingsMigration } from './004-findings.ts';
import { dataQualityMigration } from './005-data-quality.ts';
import { sourcesMigration } from './006-sources.ts';
import { packedChunksMigration } from './007-packed-chunks.ts';
import { zoneStaysMigration } from './008-zone-stays.ts';
import { groupTagMigration } from './009-group-tag.ts';
import { urgentFindingsMigration } from './010-urgent-findings.ts';
import { usersMigration } from './011-users.ts';
import { singleSignOnMigration } from './012-single-sign-on.ts';
import { collectorsMigration } from './013-collectors.ts';
import { changesMigration } from './014-changes.ts';
import { ratingsMigration } from './015-ratings.ts';
import { differencesMigration } from './016-differences.ts';
import { savedPlansMigration } from './017-saved-plans.ts';
import { fewNodesMigration } from './018-few-nodes.ts';
import { savedQueriesMigration } from './019-saved-queries.ts';
import { selectorQueriesMigration } from './020-selector-queries.ts';
import { knownRecordsMigration } from './021-known-records.ts';
import { acceptedReasonMigration } from './022-accepted-reason.ts';
import { goneSetsMigration } from './023-gone-sets.ts';
import { tenantsMigration } from './024-tenants.ts';
import { sightingRoomMigration } from './025-sighting-room.ts';
import { planConstraintsMigration } from './026-plan-constraints.ts';
import { zonePlansMigration } from './027-zone-plans.ts';
import { adoptedPlansMigration } from './028-adopted-plans.ts';
import { ratedFindingsMigration } from './029-rated-findings.ts';
import { findingsLeftOpenMigration } from './030-findings-left-open.ts';
import { notReadMigration } from './031-not-read.ts';
import { unnamedNodesMigration } from './032-unnamed-nodes.ts';
import { rulesVersionsMigration } from './033-rules-versions.ts';
import { jobGenerationsMigration } from './034-job-generations.ts';
import { planOwnersMigration } from './035-plan-owners.ts';
import { selectorTimesMigration } from './037-selector-times.ts';
import { boundSignInsMigration } from './038-bound-sign-ins.ts';
import { sharedRepairsMigration } from './039-shared-repairs.ts';
import { historyOfDefaultsMigration } from './043-history-of-defaults.ts';
import { valuesNotThereMigration } from './044-values-not-there.ts';
import { zoneEditsMigration } from './048-zone-edits.ts';
import { selectorWarningsMigration } from './050-selector-warnings.ts';
import { americanKindsMigration } from './051-american-kinds.ts';
import { extensionsMigration } from './054-extensions.ts';
import { rulesOfExtensionsMigration } from './055-rules-of-extensions.ts';
import { repairTitlesMigration } from './056-repair-titles.ts';
import { customChecksMigration } from './057-custom-checks.ts';
import { derivedRelationshipsMigration } from './058-derived-relationships.ts';
import { queryWatchesMigration } from './061-query-watches.ts';
import { savedDrawingsMigration } from './062-saved-drawings.ts';
import { waitingEdgesMigration } from './064-waiting-edges.ts';
import { queriesOfExtensionsMigration } from './065-queries-of-extensions.ts';
import { planRepairsMigration } from './066-plan-repairs.ts';
import { findingOwnersMigration } from './067-finding-owners.ts';
import { savedViewsMigration } from './068-saved-views.ts';
import { inboxMigration } from './069-inbox.ts';
import { reportsMigration } from './070-reports.ts';
import { reportOutcomesMigration } from './071-report-outcomes.ts';
import { mentionsMigration } from './074-mentions.ts';
import { relationshipNamesMigration } from './075-relationship-names.ts';
import { policySetsMigration } from './076-policy-sets.ts';
import { findingTargetsMigration } from './077-finding-targets.ts';
import { findingRowsMigration } from './078-finding-rows.ts';
import { relationshipFallsMigration } from './079-relationship-falls.ts';
import { unneededChangesMigration } from './080-unneeded-changes.ts';
import { bulkChangesMigration } from './081-bulk-changes.ts';
import { constraintsOfChangesMigration } from './082-constraints-of-changes.ts';
import { authorityAnswersMigration } from './083-authority-answers.ts';
import { changedAnswersMigration } from './084-changed-answers.ts';
import { figuresOfUndoingMigration } from './085-figures-of-undoing.ts';
import { clewCollectorsMigration } from './086-clew-collectors.ts';
import { directoryReadingsMigration } from './087-directory-readings.ts';
import { keysOfLogLinesMigration } from './088-keys-of-log-lines.ts';
import { planEventsMigration } from './089-plan-events.ts';
import { assistantsMigration } from './090-assistants.ts';
import { viewAsMigration } from './091-view-as.ts';
import { usesOfGrantsMigration } from './092-uses-of-grants.ts';
import { serviceLevelsMigration } from './093-service-levels.ts';
import { acceptanceRequestsMigration } from './094-acceptance-requests.ts';
import { tracesOfJobsMigration } from './095-traces-of-jobs.ts';
import { queryLayersMigration } from './096-query-layers.ts';
import { acceptanceEvidenceMigration } from './097-acceptance-evidence.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  graphMigration,
  uploadsMigration,
  identityMigration,
  findingsMigration,
  dataQualityMigration,
  sourcesMigration,
  packedChunksMigration,
  zoneStaysMigration,
  groupTagMigration,
  urgentFindingsMigration,
  usersMigration,
  singleSignOnMigration,
  collectorsMigration,
  changesMigration,
  ratingsMigration,
  differencesMigration,
  savedPlansMigration,
  fewNodesMigration,
  savedQueriesMigration,
  selectorQueriesMigration,
  knownRecordsMigration,
  acceptedReasonMigration,
  goneSetsMigration,
  tenantsMigration,
  sightingRoomMigration,
  planConstraintsMigration,
  zonePlansMigration,
  adoptedPlansMigration,
  ratedFindingsMigration,
  findingsLeftOpenMigration,
  notReadMigration,
  unnamedNodesMigration,
  rulesVersionsMigration,
  jobGenerationsMigration,
  planOwnersMigration,
  selectorTimesMigration,
  boundSignInsMigration,
  sharedRepairsMigration,
  historyOfDefaultsMigration,
  valuesNotThereMigration,
  zoneEditsMigration,
  selectorWarningsMigration,
  extensionsMigration,
  rulesOfExtensionsMigration,
  repairTitlesMigration,
  customChecksMigration,
  derivedRelationshipsMigration,
  queryWatchesMigration,
  savedDrawingsMigration,
  waitingEdgesMigration,
  queriesOfExtensionsMigration,
  planRepairsMigration,
  findingOwnersMigration,
  savedViewsMigration,
  inboxMigration,
  reportsMigration,
  reportOutcomesMigration,
  mentionsMigration,
  relationshipNamesMigration,
  policySetsMigration,
  findingTargetsMigration,
  findingRowsMigration,
  relationshipFallsMigration,
  unneededChangesMigration,
  bulkChangesMigration,
  // Missing from this list at first: databases exist that have applied all others.
  americanKindsMigration,
  constraintsOfChangesMigration,
  authorityAnswersMigration,
  changedAnswersMigration,
  figuresOfUndoingMigration,
  clewCollectorsMigration,
  directoryReadingsMigration,
  keysOfLogLinesMigration,
  planEventsMigration,
  assistantsMigration,
  viewAsMigration,
  usesOfGrantsMigration,
  serviceLevelsMigration,
  acceptanceRequestsMigration,
  tracesOfJobsMigration,
  queryLayersMigration,
  acceptanceEvidenceMigration,
];
