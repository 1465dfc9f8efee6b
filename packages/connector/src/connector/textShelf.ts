/** Texts of finding types, read once a day and kept in the state. */
import { messageOf } from '../actions/faults.ts';
import type { FindingTexts, Triple } from '../findings/items.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { ConnectorLog } from './connectorLog.ts';
import type { FindingSource } from './source.ts';

const MAX_AGE_MS = 24 * 3_600_000;

export interface TextShelfParts {
  readonly source: FindingSource;
  readonly state: ConnectorState;
  readonly log: ConnectorLog;
  readonly signal?: AbortSignal;
  readonly now: () => number;
}

export class TextShelf {
  readonly #parts: TextShelfParts;
  readonly #texts = new Map<string, FindingTexts>();

  constructor(parts: TextShelfParts) {
    this.#parts = parts;
  }

  /** @param maxAge milliseconds; an older copy is read anew @throws the reason of the signal */
  async of(
    { findingType, zoneId }: Pick<Triple, 'findingType' | 'zoneId'>,
    maxAge = MAX_AGE_MS,
  ): Promise<FindingTexts> {
    const name = `texts:${findingType}:${zoneId}`;
    const cached = this.#texts.get(name);
    if (cached !== undefined) return cached;
    const { state, now } = this.#parts;
    const stored = JSON.parse((await state.meta(name)) ?? 'null') as (FindingTexts & { at: number }) | null;
    if (stored !== null && now() - stored.at < maxAge) {
      this.#texts.set(name, stored);
      return stored;
    }
    const { texts, isWhole } = await this.#read(findingType, zoneId);
    // An older text is better than none.
    const best = isWhole ? texts : (stored ?? texts);
    if (isWhole) await state.setMeta(name, JSON.stringify({ ...texts, at: now() }));
    this.#texts.set(name, best);
    return best;
  }

  async #read(
    findingType: string,
    zoneId: number,
  ): Promise<{ readonly texts: FindingTexts; readonly isWhole: boolean }> {
    const { source, log, signal } = this.#parts;
    let isWhole = true;
    const text = async (asset: string, fallback = ''): Promise<string> => {
      try {
        return (await source.text(findingType, asset, zoneId)) || fallback;
      } catch (error) {
        signal?.throwIfAborted();
        isWhole = false;
        log.warn(`${asset} of ${findingType}: ${messageOf(error)}`);
        return fallback;
      }
    };
    const [title, shortDescription, shortRemediation, longRemediation] = await Promise.all([
      text('title', findingType),
      text('short_description'),
      text('short_remediation'),
      text('long_remediation'),
    ]);
    return { texts: { title, shortDescription, shortRemediation, longRemediation }, isWhole };
  }
}
