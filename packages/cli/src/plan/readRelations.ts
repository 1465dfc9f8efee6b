/** Relationships on the command line: `FROM KIND TO`. Object ids of other platforms can contain spaces. */
import type { SimulationRequest } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { edgeKindByName } from '@clew/model';
import { CommandError, EXIT } from '../failure.ts';

type Relation = NonNullable<SimulationRequest['remove']>[number];

/** @throws CommandError */
export async function readRelations(
  client: ClewClient,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Relation[]> {
  // Only ids with spaces need the kinds of the service.
  const areKindsNeeded = texts.some((text) => text.trim().split(/\s+/).length > 3);
  const kinds = areKindsNeeded
    ? (await client.call('ListKinds', {}, { signal })).data.relationship_kinds
    : [];
  const names = new Set(kinds.map(({ name }) => name));
  return texts.map((text) =>
    readRelation(text, (word) => names.has(word) || edgeKindByName(word) !== undefined),
  );
}

/** @throws CommandError unless exactly one split is possible */
export function readRelation(text: string, isKind: (word: string) => boolean): Relation {
  const words = [...text.trim().matchAll(/\S+/g)];
  const inner = words.slice(1, -1);
  const found = words.length === 3 ? inner : inner.filter(([word]) => isKind(word));
  const [match] = found;
  if (match === undefined || found.length > 1) {
    const what = `"${text}" is not "FROM KIND TO": object IDs, and a kind of relationship between them`;
    throw new CommandError(
      found.length > 1 ? `${what}; it contains several kinds: use --file` : what,
      EXIT.usage,
    );
  }
  const { index, 0: kind, input } = match;
  return {
    source_id: input.slice(0, index).trim(),
    kind,
    target_id: input.slice(index + kind.length).trim(),
  };
}
