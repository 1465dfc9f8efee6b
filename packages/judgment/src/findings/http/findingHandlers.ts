/** Findings, posture and zones over HTTP: handlers by operation id. */
import type { Exports } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { Db } from '@clew/store';
import { checkHandlers } from '../checks/checkHandlers.ts';
import { viewHandlers } from '../views/viewHandlers.ts';
import { acceptanceHandler } from './acceptanceHandler.ts';
import { acceptanceRequestHandlers } from './acceptanceRequestHandlers.ts';
import { allFindingHandlers } from './allFindings.ts';
import { assetGroupHandlers } from './assetGroupHandlers.ts';
import { findingAsset } from './assets.ts';
import { bulkHandlers } from './bulkHandlers.ts';
import { changeHandlers } from './changeHandlers.ts';
import { environmentFindingHandlers } from './environmentFindings.ts';
import { evidenceHandlers } from './evidenceHandlers.ts';
import type { FindingParts } from './findingParts.ts';
import { ownerHandlers } from './ownerHandlers.ts';
import { postureHandlers } from './postureHandlers.ts';
import { Walks } from './walks.ts';
import { answeringZoneFaults } from './zoneAnswers.ts';
import { zoneHandlers } from './zoneHandlers.ts';
import { zoneWorkHandlers } from './zoneWorkHandlers.ts';

export function findingHandlers(
  db: Db,
  generations: GenerationSource,
  exports: Exports,
  cypher: FindingParts['cypher'],
  rules: FindingParts['rules'],
  leaving: FindingParts['leaving'],
) {
  const parts: FindingParts = { db, generations, walks: new Walks(), exports, cypher, rules, leaving };
  return {
    ...environmentFindingHandlers(parts),
    ...allFindingHandlers(parts),
    ...changeHandlers(parts),
    ...checkHandlers(parts),
    ...ownerHandlers(parts),
    ...bulkHandlers(parts),
    ...acceptanceRequestHandlers(parts),
    ...evidenceHandlers(parts),
    ...viewHandlers(db),
    ...postureHandlers(parts),
    ...answeringZoneFaults({
      ...zoneHandlers(parts),
      ...zoneWorkHandlers(parts),
      ...assetGroupHandlers(parts),
    }),
    GetFindingAsset: findingAsset(db, generations),
    UpdateAttackPathRisk: acceptanceHandler(db, leaving),
  };
}
