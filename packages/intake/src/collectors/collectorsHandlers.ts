/** Scheduled collection: clients, schedules, jobs, operations for collectors, and collector releases. */

import type { ApiTokens } from '@clew/identity';
import type { Db } from '@clew/store';
import type { UploadLimits } from '../ingest/storeUpload.ts';
import { clientHandlers } from './clientHandlers.ts';
import { collectorHandlers } from './collectorHandlers.ts';
import { directoryReadingHandlers } from './directoryReadings.ts';
import { eventHandlers } from './eventHandlers.ts';
import { jobHandlers } from './jobHandlers.ts';
import { releaseHandlers } from './releaseHandlers.ts';
import { type ReleaseLog, Releases } from './releases.ts';

export interface CollectorParts {
  readonly db: Db;
  readonly tokens: ApiTokens;
  readonly uploads: UploadLimits;
  /** Directory in which an administrator places releases. */
  readonly directory: string;
  readonly log: ReleaseLog;
}

export function collectorsHandlers({ db, tokens, uploads, directory, log }: CollectorParts) {
  return {
    ...clientHandlers({ db, tokens }),
    ...eventHandlers(db),
    ...jobHandlers(db),
    ...directoryReadingHandlers(db),
    ...collectorHandlers(db, uploads),
    ...releaseHandlers(new Releases(directory, log)),
  };
}
