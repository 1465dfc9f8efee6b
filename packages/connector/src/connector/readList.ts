/**
 * Reads the list of findings of one triple, compares it with the state, and closes findings that a complete list no
 * longer contains. Rule: `docs/integration.md#a-run`.
 */
import { counted } from '@clew/model';
import { earlier, instantOf, later } from '../findings/instants.ts';
import type { FindingFacts } from '../findings/items.ts';
import { keyOf, type NamedTriple, RecordError, readRecord } from '../findings/records.ts';
import type { ConnectorState, KnownItem } from '../state/connectorState.ts';
import { isOver } from './intake.ts';
import { ListError, type RunParts } from './runParts.ts';

/** Findings become visible when the transaction of their analysis ends, later than the times they carry. */
const OVERLAP_MS = 10 * 60_000;
/** A list that changes while it is read is read again. */
const MAX_READS = 3;

/** A list, and the time at which reading it began. */
interface SeenList {
  /** The latest change in the list. */
  readonly position: string;
  /** Ids by key; two findings about the same subject have different ids. */
  readonly keys: ReadonlyMap<string, number>;
  /** Number of records that could not be read. */
  readonly unread: number;
}

/** Without a feed: checks whether an analysis ran since the last read. */
export async function lookForChanges(
  { state, source }: RunParts,
  triple: NamedTriple,
  isEmptied: boolean,
): Promise<void> {
  const cursor = await state.cursor(triple);
  const analysis = await source.lastAnalysis(triple);
  if (isEmptied || analysis === undefined || analysis !== cursor.analysis)
    await state.setCursor({ ...cursor, analysis: analysis ?? '', dirty: true });
}

/** Reads a list that changed. @throws ListError if it could not be read completely */
export async function readChangedList(parts: RunParts, triple: NamedTriple, hasFeed: boolean): Promise<void> {
  const { state, intake } = parts;
  const cursor = await state.cursor(triple);
  if (!cursor.dirty) return;
  await parts.texts.of(triple);
  // Only a complete list shows which findings ended.
  const position = hasFeed ? cursor.position : '';
  const seen = await readWhole(parts, triple, position);
  const missing = position === '' ? await missingIn(state, triple, seen.keys) : [];
  // A finding has ended only if a second read confirms it.
  const again = missing.length === 0 ? seen : await readWhole(parts, triple, '');
  await state.transaction(async (inside) => {
    for (const { key } of missing) {
      const known = await inside.item(key);
      if (again.keys.has(key) || known === undefined || isOver(known.status)) continue;
      await intake.endKnown(inside, known, 'remediated', 'no longer found');
    }
    await inside.setCursor({ ...cursor, position: again.position, dirty: false });
  });
}

/** @throws ListError if it could not be read completely */
async function readWhole(parts: RunParts, triple: NamedTriple, from: string): Promise<SeenList> {
  for (let read = 1; read <= MAX_READS; read++) {
    const seen = await readPages(parts, triple, from);
    if (seen === undefined) continue;
    // An unreadable record may be one of the missing findings.
    if (seen.unread > 0) {
      const records = counted(seen.unread, 'record');
      throw new ListError(`${records} could not be read: none of its findings is closed`);
    }
    return seen;
  }
  throw new ListError('the list changed while it was read');
}

/** @returns `undefined` if the list changed while it was read */
async function readPages(parts: RunParts, triple: NamedTriple, from: string): Promise<SeenList | undefined> {
  const since = from === '' ? undefined : earlier(from, OVERLAP_MS);
  const keys = new Map<string, number>();
  let position = from;
  let unread = 0;
  let count: number | undefined;
  for (let skip = 0; ; ) {
    parts.checkTime();
    const page = await parts.source.details(triple, since, skip);
    if (count !== undefined && page.count !== undefined && page.count !== count) return undefined;
    count = page.count ?? count;
    await parts.state.transaction(async (inside) => {
      for (const record of page.records) {
        const finding = findingOf(parts, record, triple);
        if (finding === undefined) {
          unread++;
          continue;
        }
        const key = keyAmong(keys, finding);
        keys.set(key, finding.id);
        await parts.intake.take(inside, key, finding, JSON.stringify(record));
        position = later(position, instantOf(finding.updatedAt));
      }
    });
    skip += page.records.length;
    if (page.records.length === 0 || (count !== undefined && skip >= count)) {
      if (count !== undefined && skip < count)
        throw new ListError(
          `only ${skip} of ${counted(count, 'finding')} ${skip === 1 ? 'was' : 'were'} received`,
        );
      return { position, keys, unread };
    }
  }
}

function findingOf(parts: RunParts, record: unknown, triple: NamedTriple): FindingFacts | undefined {
  try {
    return readRecord(record, triple);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    parts.fault(`${triple.findingType} in ${triple.environmentName}: ${error.message}`);
    return undefined;
  }
}

/** Selects findings of a list that are open at the host and missing in the list. */
async function missingIn(
  state: ConnectorState,
  triple: NamedTriple,
  keys: ReadonlyMap<string, number>,
): Promise<readonly KnownItem[]> {
  const known = await state.itemsOf(triple);
  return known.filter(({ key, status }) => !keys.has(key) && !isOver(status));
}

/** If two findings of a list have the same subject, the number distinguishes the later one. */
function keyAmong(seen: ReadonlyMap<string, number>, finding: FindingFacts): string {
  const key = keyOf(finding);
  const other = seen.get(key);
  return other === undefined || other === finding.id ? key : keyOf(finding, finding.id);
}
