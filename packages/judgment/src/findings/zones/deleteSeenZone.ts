/**
 * Deletes a zone for a caller with limited environments: its selectors are deleted too, so the caller must see all of their seeds.
 *
 * Rule: `docs/reference/api.md#environments`.
 */
import type { Actor } from '@clew/common';
import type { Db } from '@clew/store';
import { expectWhole, type RuleSight } from './seenRules.ts';
import { listSelectors } from './selectors.ts';
import { deleteZone } from './zones.ts';

/** @param sight undefined for users who may see everything @throws ZoneError also if the zone has seeds that the caller may not see */
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
