/** The traversable kinds of relationships, by category, and which kinds are derived. */
import { EDGE_CATEGORIES, EDGE_KINDS, type EdgeCategory, edgeText } from '@clew/model';

export { EDGE_CATEGORIES, type EdgeCategory, edgeText };

/** Built-in traversable kinds by category, in the order of the categories. */
export const TRAVERSABLE_KINDS: ReadonlyMap<EdgeCategory, readonly string[]> = (() => {
  const byCategory = new Map<EdgeCategory, string[]>();
  for (const category of Object.keys(EDGE_CATEGORIES) as EdgeCategory[]) byCategory.set(category, []);
  for (const { name, traversable } of EDGE_KINDS)
    if (traversable) byCategory.get(edgeText(name).category)!.push(name);
  for (const [category, names] of byCategory) if (names.length === 0) byCategory.delete(category);
  return byCategory;
})();

/** Derived relationships have a composition: the relationships from which they are derived. */
export const isDerived = (kind: string): boolean =>
  EDGE_KINDS.some(({ name, origin }) => name === kind && origin !== 'collected');
