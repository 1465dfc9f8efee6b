/** Phrases of relationships in texts for users: "ALICE can reset the password of BOB". JSON has the names of kinds. */
import type { ClewClient } from '@clew/client';
import { edgeKindByName, edgeText } from '@clew/model';

/** @returns the words between source and target */
export type PhraseOf = (kind: string) => string;

export const builtInPhrase: PhraseOf = (kind) => edgeText(kind).phrase;

/**
 * Requests the phrases of kinds that extensions declare, if there are any. A missing text is not a failure: the name of
 * the kind replaces it.
 * @throws the reason of the signal
 */
export async function phrasesOf(
  client: ClewClient,
  kinds: Iterable<string>,
  signal?: AbortSignal,
): Promise<PhraseOf> {
  const others = [...new Set(kinds)].filter((kind) => edgeKindByName(kind) === undefined);
  if (others.length === 0) return builtInPhrase;
  try {
    const { data } = await client.call('ListKinds', {}, { signal });
    const phrases = new Map(data.relationship_kinds.map(({ name, phrase }) => [name, phrase]));
    return (kind) => phrases.get(kind) ?? builtInPhrase(kind);
  } catch {
    signal?.throwIfAborted();
    return builtInPhrase;
  }
}
