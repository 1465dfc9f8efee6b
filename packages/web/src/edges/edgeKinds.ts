/** What each kind of relation means, by its name, and the kinds that hand control on by category. */
import { EDGE_CATEGORIES, EDGE_KINDS, EDGE_TEXTS, type EdgeCategory } from '@clew/model';

export { EDGE_CATEGORIES, type EdgeCategory };

interface EdgeText {
  readonly category: EdgeCategory;
  /** Follows the name of the source: "... is a member of". */
  readonly phrase: string;
  readonly meaning: string;
  readonly removal: string;
}

export function edgeText(kind: string): EdgeText {
  const row = Object.hasOwn(EDGE_TEXTS, kind) ? EDGE_TEXTS[kind] : undefined;
  if (row === undefined)
    return {
      category: 'other',
      phrase: kind,
      meaning: 'A kind of relationship from an upload.',
      removal: 'Remove it in the platform that the upload describes.',
    };
  const [category, phrase, meaning, removal] = row;
  return { category, phrase, meaning, removal };
}

/** Built-in traversable kinds by category, in the order of the categories. */
export const TRAVERSABLE_KINDS: ReadonlyMap<EdgeCategory, readonly string[]> = (() => {
  const byCategory = new Map<EdgeCategory, string[]>();
  for (const category of Object.keys(EDGE_CATEGORIES) as EdgeCategory[]) byCategory.set(category, []);
  for (const { name, traversable } of EDGE_KINDS)
    if (traversable) byCategory.get(edgeText(name).category)!.push(name);
  for (const [category, names] of byCategory) if (names.length === 0) byCategory.delete(category);
  return byCategory;
})();

/** Derived relations have a composition: the relations that they follow from. */
export const isDerived = (kind: string): boolean =>
  EDGE_KINDS.some(({ name, origin }) => name === kind && origin !== 'collected');
