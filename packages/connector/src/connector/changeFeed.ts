/**
 * Follows the feed of changes of the service: it closes ended findings at once, and marks lists with other changes as unread.
 * Rule: `docs/integration.md#a-run`.
 */
import type { UnifiedFindingRow } from '@clew/api';
import { RecordError, readRow } from '../findings/records.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import { isOver } from './intake.ts';
import type { RunParts } from './runParts.ts';
import { type FeedPage, FeedPlaceError } from './source.ts';

/** Interval for reading all lists completely, even with a feed. */
const COMPLETE_LOOK_MS = 24 * 3_600_000;

/** @returns false if there is no feed of changes and everything must be read */
export async function followChanges(parts: RunParts): Promise<boolean> {
  const { state } = parts;
  await readAllNowAndThen(parts);
  const place = (await state.meta('feed')) || undefined;
  for (let since = place; ; ) {
    parts.checkTime();
    const page = await changesSince(parts, since);
    if (page === undefined) return false;
    const { next } = page;
    await state.transaction(async (inside) => {
      for (const change of page.findings) await takeChange(parts, inside, change);
      if (next !== undefined) await inside.setMeta('feed', next);
    });
    if (next === undefined) {
      parts.fault('the change feed does not specify its next position: everything is read');
      await state.transaction((inside) => inside.readAgain());
      return false;
    }
    if (!page.hasMore) return true;
    since = next;
  }
}

/** A complete read corrects errors that were not noticed. */
async function readAllNowAndThen({ state, now }: RunParts): Promise<void> {
  const last = Number((await state.meta('looked')) ?? 0);
  if (now() - last < COMPLETE_LOOK_MS) return;
  await state.transaction(async (inside) => {
    if (last > 0) await inside.readAgain();
    await inside.setMeta('looked', String(now()));
  });
}

/** @returns `undefined` if the service has no feed */
async function changesSince(parts: RunParts, since: string | undefined): Promise<FeedPage | undefined> {
  const { state, source } = parts;
  try {
    return await parts.must('the changes', () => source.changes(since), FeedPlaceError);
  } catch (error) {
    if (!(error instanceof FeedPlaceError)) throw error;
    parts.fault(`the service rejects the position in the change feed: everything is read. ${error.message}`);
    // The next run begins at the current position of the feed; the lists show the changes in between.
    const now = await parts.must('the changes', () => source.changes(undefined));
    await state.transaction(async (inside) => {
      await inside.setMeta('feed', now?.next ?? '');
      await inside.readAgain();
    });
    return undefined;
  }
}

async function takeChange(parts: RunParts, state: ConnectorState, change: unknown): Promise<void> {
  try {
    const { row, finding } = readRow(change);
    if (isOver(row.status)) await parts.intake.end(state, finding, row.status, whyOver(row));
    else await state.markChanged(finding);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    // The lists show the changes of the feed.
    parts.fault(`the change feed: ${error.message}: everything is read`);
    await state.readAgain();
  }
}

/** The explanation, or the status if that is sufficient. */
function whyOver({ status, changed_by, changed_because }: UnifiedFindingRow): string {
  if (changed_by === 'rules') return `${status}: the rules changed (an update), nothing was repaired`;
  if (changed_by === 'zones') return `${status}: a zone was edited, nothing was repaired`;
  if (changed_by === 'answers')
    return `${status}: ${changed_because ?? 'someone answered a question about a CA'}, nothing was repaired`;
  if (changed_by === 'several')
    return `${status}: several of data, rules, zones and answers changed together, it may not be repaired`;
  if (status === 'deprecated' && changed_by === 'data')
    return `${status}: a large part of its environment was not reported again, it may not be repaired`;
  return status;
}
