/** Finds the parts of a match that are read or must be distinguished; other parts need not be kept. */
import type { Elements, RelationshipElement } from './elements.ts';

/** Names of relationships and paths that a later clause, a condition, or a path reads. */
export function wantedOf(
  { paths, relationships, conditions }: Elements,
  names: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const isRead = (name: string): boolean =>
    names === undefined || names.has(name) || conditions.some(({ needs }) => needs.has(name));
  const wanted = new Set<string>();
  // A path of one node also tests that the node exists.
  for (const path of paths)
    if (isRead(path.name) || path.relationships.length === 0) {
      wanted.add(path.name);
      for (const { name } of path.relationships) wanted.add(name);
    }
  for (const { name, isWanted } of relationships) if (isWanted && isRead(name)) wanted.add(name);
  return wanted;
}

/** Whether both may be the same edge, which is forbidden within one MATCH. */
export function mayBeSame(a: RelationshipElement, b: RelationshipElement): boolean {
  if (a.part !== b.part || a.shortest !== undefined || b.shortest !== undefined) return false;
  const [some, others] = [a.pattern.types, b.pattern.types];
  if (some.length === 0 || others.length === 0) return true;
  // A shortcut represents many types.
  return (
    some.some((type) => others.includes(type)) ||
    [...some, ...others].some((type) => type.endsWith('_ATTACK_PATHS'))
  );
}
