/** References to other objects: an object id and the kind the collector knew. */
import { NODE_KINDS } from '@clew/model';

export interface Principal {
  /** Upper case; never empty. */
  readonly id: string;
  readonly kind: string;
}

/** `LocalGroup` is the name that collectors of early 2024 have for local groups. */
const kindByName: ReadonlyMap<string, string> = new Map([
  ...NODE_KINDS.map(({ name }) => [name, name] as const),
  ['LocalGroup', 'ADLocalGroup'],
]);

/**
 * The kind of a principal: an exact name of a kind, else `Base` (`Configuration`). Rule: `docs/reference/collections.md#objects`.
 */
export function principalKind(objectType: unknown): string {
  return kindByName.get(objectType as string) ?? 'Base';
}
