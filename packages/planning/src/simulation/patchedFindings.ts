/**
 * A large list of findings stored as a patch of another list: added and removed findings over the base list, which is neither copied nor
 * visited.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import type { FindingChanges, FindingKey, Findings } from './findingKeys.ts';
import { findingKeyText } from './findingKeys.ts';

/** Above this share of differences, a full list is built. */
const MAX_DIFFERENT_SHARE = 0.25;

/** Keeps the order of the base list; added findings are last. */
class PatchedFindings implements Findings {
  readonly whole: Findings;
  readonly missing: ReadonlySet<string>;
  readonly own: ReadonlyMap<string, FindingKey>;

  /** @param missing keys of the base list that this list lacks @param own findings with keys that the base list lacks */
  constructor(whole: Findings, missing: ReadonlySet<string>, own: ReadonlyMap<string, FindingKey>) {
    this.whole = whole;
    this.missing = missing;
    this.own = own;
  }

  get size(): number {
    return this.whole.size - this.missing.size + this.own.size;
  }

  has(key: string): boolean {
    return this.own.has(key) || (!this.missing.has(key) && this.whole.has(key));
  }

  get(key: string): FindingKey | undefined {
    return this.own.get(key) ?? (this.missing.has(key) ? undefined : this.whole.get(key));
  }

  *entries(): MapIterator<[string, FindingKey]> {
    for (const entry of this.whole) if (!this.missing.has(entry[0])) yield entry;
    yield* this.own;
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<FindingKey> {
    for (const [, finding] of this.entries()) yield finding;
  }

  forEach(visit: (finding: FindingKey, key: string, map: Findings) => void): void {
    for (const [key, finding] of this.entries()) visit(finding, key, this);
  }

  [Symbol.iterator](): MapIterator<[string, FindingKey]> {
    return this.entries();
  }
}

/** @param closed findings of the previous list @param opened findings that it lacks @returns the list after both changes */
export function patchedFindings(before: Findings, { closed, opened }: FindingChanges): Findings {
  const isPatched = before instanceof PatchedFindings;
  const whole = isPatched ? before.whole : before;
  const missing = new Set(isPatched ? before.missing : []);
  const own = new Map(isPatched ? before.own : []);
  for (const finding of closed) {
    const key = findingKeyText(finding);
    if (!own.delete(key)) missing.add(key);
  }
  for (const finding of opened) {
    const key = findingKeyText(finding);
    if (!missing.delete(key)) own.set(key, finding);
  }
  const patched = new PatchedFindings(whole, missing, own);
  return missing.size + own.size > MAX_DIFFERENT_SHARE * whole.size ? new Map(patched) : patched;
}
