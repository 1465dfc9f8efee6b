/**
 * A forest that was made by hand (`plan/fixtures/hand.zip`), in which an expert knows which changes are right: Domain Users are in
 * T0_SERVER_ADMINS, the template AGENT is open to Domain Users, the administrator DA1 works on the terminal server TS01, and a tool has
 * rights that AdminSDHolder and a unit hand down. 375 accounts, one domain, no tenant.
 */
import { fileURLToPath } from 'node:url';
import type { AnalyzedWorld } from '@clew/analysis';
import { archiveFromFile, type CollectionSource } from '@clew/collections';
import { analyzedWorld } from './analyzedWorld.ts';
import { collectedWorld } from './collectedWorld.ts';

const ARCHIVE = fileURLToPath(new URL('../plan/fixtures/hand.zip', import.meta.url));

/** @returns the forest as the service analyzes it @throws Error for an archive that cannot be read */
export async function handForest(): Promise<AnalyzedWorld> {
  await using archive = await archiveFromFile(ARCHIVE);
  if (archive.fault !== undefined) throw new Error(`${ARCHIVE}: ${archive.fault.message}`);
  const sources = archive.members.map(({ name, source, fault }): CollectionSource => {
    if (source === undefined) throw new Error(`${ARCHIVE}: ${name}: ${fault?.message}`);
    return source;
  });
  return analyzedWorld(await collectedWorld(sources));
}
