/** The read side of the graph: handlers by operation id. */
import { azureHandlers } from './azure/azureHandlers.ts';
import { aclInheritanceHandlers } from './handlers/aclInheritanceHandler.ts';
import { drawingHandlers } from './handlers/drawingHandlers.ts';
import { edgeKindHandlers } from './handlers/edgeKindHandler.ts';
import { entityHandlers } from './handlers/entityHandlers.ts';
import { environmentHandlers } from './handlers/environmentHandlers.ts';
import { exportHandlers } from './handlers/exportHandlers.ts';
import { graphObjectHandlers } from './handlers/graphObjectHandlers.ts';
import { kindsHandlers } from './handlers/kindsHandler.ts';
import { pathHandlers } from './handlers/pathHandlers.ts';
import { relatedListHandlers } from './handlers/relatedListHandlers.ts';
import { searchHandlers } from './handlers/searchHandlers.ts';
import type { EasiestPaths, QueryServices } from './queryServices.ts';

export function exploreHandlers(services: QueryServices, easiest: EasiestPaths) {
  return {
    ...environmentHandlers(services),
    ...searchHandlers(services),
    ...pathHandlers(services, easiest),
    ...entityHandlers(services),
    ...relatedListHandlers(services),
    ...azureHandlers(services),
    ...graphObjectHandlers(services),
    ...aclInheritanceHandlers(services),
    ...exportHandlers(services),
    ...edgeKindHandlers(services),
    ...drawingHandlers(services),
    ...kindsHandlers(services),
  };
}
