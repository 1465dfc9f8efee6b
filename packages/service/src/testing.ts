/**
 * Helpers that tests of other packages share with those of the service. Tests of the packages below it may import them, too
 * (`.dependency-cruiser.cjs`): a capability is tested through the whole service in its own package.
 */

export { exportPieces, parseEdgeKindFilter, waitingRequest, withdrawRequest } from '@clew/explore/testing';
export { startOidcPeer } from '@clew/identity/testing';
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
export type { RunningService } from './main.ts';
export { collectControllers } from './testing/controllers.ts';
export { FindingHarness, keyOf, type StoredFinding } from './testing/findingHarness.ts';
export { type CallOptions, type TestCaller, useFindingServer } from './testing/findingServer.ts';
export {
  HOSTILE_DOMAIN,
  HOSTILE_NAMES,
  hostileDrawing,
  hostileForest,
} from './testing/hostileForest.ts';
export {
  ADMIN_PASSWORD,
  type FinishedProcess,
  runClew,
  type ServeProcess,
  startServe,
} from './testing/serveProcess.ts';
export { PASSWORD, ServiceUnderTest, TENANT, users } from './testing/serviceUnderTest.ts';
export { type CollectorToken, type Reply, SimulatedCollector } from './testing/simulatedCollector.ts';
export { startTested } from './testing/startTested.ts';
export { sidOf, type TestDomain, twoDomains } from './testing/twoDomains.ts';
