/** Texts of finding types, read once a day and stored in the state. */
import { ApiError } from '@clew/client';
import { messageOf } from '../actions/faults.ts';
import type { FindingTexts, Triple } from '../findings/items.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { FindingSource } from './source.ts';

const MAX_AGE_MS = 24 * 3_600_000;

export interface TextShelfParts {
  readonly source: FindingSource;
  readonly state: ConnectorState;
  /** Called if a text could not be read, which makes the run partial. */
  readonly onFault: (message: string) => void;
  readonly signal?: AbortSignal;
  readonly now: () => number;
}

const nameOf = ({ findingType, zoneId }: Pick<Triple, 'findingType' | 'zoneId'>): string =>
  `texts:${findingType}:${zoneId}`;

export class TextShelf {
  readonly #parts: TextShelfParts;
  readonly #texts = new Map<string, FindingTexts>();
  /** Types whose text could not be read in this run and has no older copy. */
  readonly #lacking = new Set<string>();

  constructor(parts: TextShelfParts) {
    this.#parts = parts;
  }

  /** @param maxAge milliseconds; an older copy is read again @throws the reason of the signal */
  async of(
    { findingType, zoneId }: Pick<Triple, 'findingType' | 'zoneId'>,
    maxAge = MAX_AGE_MS,
  ): Promise<FindingTexts> {
    const name = nameOf({ findingType, zoneId });
    const cached = this.#texts.get(name);
    if (cached !== undefined) return cached;
    const { state, now } = this.#parts;
    const stored = JSON.parse((await state.meta(name)) ?? 'null') as (FindingTexts & { at: number }) | null;
    if (stored !== null && now() - stored.at < maxAge) {
      this.#texts.set(name, stored);
      return stored;
    }
    const { texts, isWhole } = await this.#read(findingType, zoneId);
    // An older text is better than no text.
    const best = isWhole ? texts : (stored ?? texts);
    if (!isWhole && stored === null) this.#lacking.add(name);
    if (isWhole) await state.setMeta(name, JSON.stringify({ ...texts, at: now() }));
    this.#texts.set(name, best);
    return best;
  }

  /** @returns whether the last request for the type returned all texts */
  hasAll(triple: Pick<Triple, 'findingType' | 'zoneId'>): boolean {
    return !this.#lacking.has(nameOf(triple));
  }

  /** @throws ApiError 401, because all other requests would fail too */
  async #read(
    findingType: string,
    zoneId: number,
  ): Promise<{ readonly texts: FindingTexts; readonly isWhole: boolean }> {
    const { source, onFault, signal } = this.#parts;
    let isWhole = true;
    const text = async (asset: string, fallback = ''): Promise<string> => {
      try {
        return (await source.text(findingType, asset, zoneId)) || fallback;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ApiError && error.status === 401) throw error;
        isWhole = false;
        onFault(
          `${asset} of ${findingType} could not be read: ${messageOf(error)}. The next run will request it again`,
        );
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
