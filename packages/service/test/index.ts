/**
 * Helpers shared with tests of other packages. Tests of lower packages may also import them (`.dependency-cruiser.cjs`): a capability is
 * tested through the whole service in its own package.
 */

export { exportPieces, parseEdgeKindFilter, waitingRequest, withdrawRequest } from '@clew/explore/testing';
export { startOidcPeer } from '@clew/identity/testing';
export { editableFile } from '@clew/planning/testing';
export { makeDue, withAccepted } from '@clew/plans/testing';
export { startTestDatabase } from '@clew/store/testing';
export {
  type BuildContext,
  buildContext,
  buildGeneration,
  createAnalysis,
  keepHouse,
  loadGraph,
  loadPublished,
  startWorker,
} from '@clew/worker/testing';
export type { RunningService } from '../src/main.ts';
export { collectControllers } from './controllers.ts';
export { FindingHarness, keyOf, type StoredFinding } from './findingHarness.ts';
export { type CallOptions, type TestCaller, useFindingServer } from './findingServer.ts';
export { HeldRows } from './heldRows.ts';
export {
  HOSTILE_DOMAIN,
  HOSTILE_NAMES,
  hostileDrawing,
  hostileForest,
} from './hostileForest.ts';
export { installedGo, installedPython } from './installed.ts';
export { type ServiceHere, serveHere } from './serveHere.ts';
export {
  ADMIN_PASSWORD,
  type FinishedProcess,
  runClew,
  type ServeProcess,
  startClew,
  startServe,
} from './serveProcess.ts';
export { PASSWORD, ServiceUnderTest, TENANT, users } from './serviceUnderTest.ts';
export { type CollectorToken, type Reply, SimulatedCollector } from './simulatedCollector.ts';
export { startOnTestDatabase, startTested } from './startTested.ts';
export { sidOf, type TestDomain, twoDomains } from './twoDomains.ts';
export { uploadEdited } from './uploadEdited.ts';
export { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';
