/** The complete table of routes. A new operation is a row in one of these tables and a handler in the service. */
import type { RouteContract } from '../route.ts';
import { administrationRoutes } from './administration.ts';
import { analysisRoutes } from './analysis.ts';
import { assetGroupRoutes } from './assetGroups.ts';
import { azureRoutes } from './azure.ts';
import { changeRoutes } from './changes.ts';
import { checkRoutes } from './checks.ts';
import { clearingRoutes } from './clearing.ts';
import { collectorClientRoutes } from './collectorClients.ts';
import { collectorJobRoutes } from './collectorJobs.ts';
import { collectorReleaseRoutes } from './collectorReleases.ts';
import { combinedRoutes } from './combined.ts';
import { directoryReadingRoutes } from './directoryReadings.ts';
import { drawingRoutes } from './drawings.ts';
import { entityRoutes } from './entities.ts';
import { evidenceRoutes } from './evidence.ts';
import { findingRoutes } from './findings.ts';
import { graphRoutes } from './graph.ts';
import { identityRoutes } from './identity.ts';
import { inboxRoutes } from './inbox.ts';
import { mcpRoutes } from './mcp.ts';
import { oauthRoutes } from './oauth.ts';
import { openGraphRoutes } from './openGraph.ts';
import { planRoutes } from './plan.ts';
import { qualityRoutes } from './quality.ts';
import { referenceRoutes } from './reference.ts';
import { reportRoutes } from './reports.ts';
import { savedQueryRoutes } from './savedQueries.ts';
import { serviceRoutes } from './service.ts';
import { ssoRoutes } from './sso.ts';
import { uploadRoutes } from './uploads.ts';
import { userRoutes } from './users.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';
import { zoneRoutes } from './zones.ts';

const table = [
  ...identityRoutes,
  ...userRoutes,
  ...ssoRoutes,
  ...uploadRoutes,
  ...changeRoutes,
  ...collectorClientRoutes,
  ...collectorJobRoutes,
  ...collectorReleaseRoutes,
  ...directoryReadingRoutes,
  ...graphRoutes,
  ...savedQueryRoutes,
  ...drawingRoutes,
  ...reportRoutes,
  ...viewRoutes,
  ...inboxRoutes,
  ...evidenceRoutes,
  ...entityRoutes,
  ...azureRoutes,
  ...analysisRoutes,
  ...openGraphRoutes,
  ...clearingRoutes,
  ...findingRoutes,
  ...checkRoutes,
  ...zoneRoutes,
  ...assetGroupRoutes,
  ...planRoutes,
  ...webhookRoutes,
  ...combinedRoutes,
  ...qualityRoutes,
  ...serviceRoutes,
  ...referenceRoutes,
  ...administrationRoutes,
  ...mcpRoutes,
  ...oauthRoutes,
] as const;

/** A row with its exact types. */
export type Route = (typeof table)[number];

export const routes: readonly RouteContract[] = table;
