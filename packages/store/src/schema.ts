/** The tables for Kysely. Each owner declares its group of tables; to add a group, add its interface to the list. */

import type { AssistantTables } from './tables/assistantTables.ts';
import type { CheckTables } from './tables/checkTables.ts';
import type { CollectorTables } from './tables/collectorTables.ts';
import type { DrawingTables } from './tables/drawingTables.ts';
import type { ExtensionTables } from './tables/extensionTables.ts';
import type { FindingTables } from './tables/findingTables.ts';
import type { GraphTables } from './tables/graphTables.ts';
import type { IdentityTables } from './tables/identityTables.ts';
import type { InboxTables } from './tables/inboxTables.ts';
import type { PlanTables } from './tables/planTables.ts';
import type { QualityTables } from './tables/qualityTables.ts';
import type { QueryTables } from './tables/queryTables.ts';
import type { ReportTables } from './tables/reportTables.ts';
import type { SingleSignOnTables } from './tables/singleSignOnTables.ts';
import type { SourceTables } from './tables/sourceTables.ts';
import type { UploadTables } from './tables/uploadTables.ts';
import type { ViewTables } from './tables/viewTables.ts';
import type { WebhookTables } from './tables/webhookTables.ts';

export interface Schema
  extends GraphTables,
    UploadTables,
    IdentityTables,
    FindingTables,
    PlanTables,
    QualityTables,
    QueryTables,
    SourceTables,
    AssistantTables,
    SingleSignOnTables,
    CollectorTables,
    ExtensionTables,
    CheckTables,
    DrawingTables,
    ReportTables,
    ViewTables,
    InboxTables,
    WebhookTables {}
