/**
 * Deletes a zone for a caller who may see some environments: its selectors go with it, so the caller has to see all of their seeds.
 *
 * Rule: `docs/reference/api.md#environments`.
 */
import type { Actor } from '@clew/common';
import type { Db } from '@clew/store';
import { expectWhole, type RuleSight } from './seenRules.ts';
import { listSelectors } from './selectors.ts';
import { deleteZone } from './zones.ts';

/** @param sight absent for users who may see all. @throws ZoneError also where it has seeds that the caller does not see */
export function deleteSeenZone(
  db: Db,
  actor: Actor,
  zone: number,
  sight: RuleSight | undefined,
): Promise<void> {
  return deleteZone(db, actor, zone, async (transaction) => {
    if (sight === undefined) return;
    for (const selector of await listSelectors(transaction, { zone, visible: null }))
      expectWhole(selector, sight);
  });
}
