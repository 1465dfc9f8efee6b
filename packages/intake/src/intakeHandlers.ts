/** Handlers of uploads, collectors, definitions of other platforms, and deletion. */
import { join } from 'node:path';
import { type Config, uniteHandlers } from '@clew/common';
import type { Db } from '@clew/store';
import { type CollectorParts, collectorsHandlers } from './collectors/collectorsHandlers.ts';
import { clearHandlers } from './housekeeping/clearHandler.ts';
import { uploadHandlers } from './ingest/uploadHandlers.ts';
import { uploadRoom } from './ingest/uploadRoom.ts';
import {
  type AskStoredNames,
  type ExtensionSyncs,
  extensionHandlers,
  type StartExtensionPreview,
} from './openGraph/extensionHandlers.ts';
import { openGraphHandlers } from './openGraph/openGraphHandlers.ts';

export interface IntakeParts extends Pick<CollectorParts, 'db' | 'tokens' | 'log'> {
  readonly db: Db;
  readonly config: Pick<Config, 'limits' | 'dataDir' | 'databaseUrl'>;
  /** Functions that store the other parts of a definition. */
  readonly syncs: ExtensionSyncs;
  readonly preview: StartExtensionPreview;
  readonly names: AskStoredNames;
}

export function intakeHandlers({ db, config, tokens, log, syncs, preview, names }: IntakeParts) {
  const { limits, dataDir, databaseUrl } = config;
  // A remote database does not share the disk of the service.
  const directory = databaseUrl === undefined ? dataDir : undefined;
  const uploads = { uploadBytes: limits.uploadBytes, room: uploadRoom(db, { ...limits, directory }) };
  return uniteHandlers(
    uploadHandlers(db, uploads),
    collectorsHandlers({ db, tokens, uploads, log, directory: join(dataDir, 'collectors') }),
    openGraphHandlers(db),
    extensionHandlers(db, syncs, preview, names),
    clearHandlers(db),
  );
}
