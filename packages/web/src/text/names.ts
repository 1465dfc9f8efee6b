/** Names in directories have two parts: the object and its domain. */

export interface SplitName {
  readonly name: string;
  /** `undefined` if the name has no domain, or is a domain. */
  readonly domain: string | undefined;
}

/** @param kind distinguishes computers, whose names end at their first dot, from domains, whose names are not split */
export function splitName(text: string, kind: string): SplitName {
  const at = text.lastIndexOf('@');
  if (at > 0 && at < text.length - 1) return { name: text.slice(0, at), domain: text.slice(at + 1) };
  const dot = kind === 'Computer' ? text.indexOf('.') : -1;
  if (dot > 0 && dot < text.length - 1) return { name: text.slice(0, dot), domain: text.slice(dot + 1) };
  return { name: text, domain: undefined };
}

interface NamedObject {
  readonly name: string;
  readonly kind: string;
}

/** @returns both names without their domains; complete if they differ only in the domain */
export function shortNames(source: NamedObject, target: NamedObject): readonly [string, string] {
  const [from, to] = [splitName(source.name, source.kind), splitName(target.name, target.kind)];
  if (from.name === to.name && from.domain !== to.domain) return [source.name, target.name];
  return [from.name, to.name];
}

export type Measure = (text: string) => number;

const ELLIPSIS = '\u2026';

/** @returns the text, or as much of its beginning and end as fits, because both ends identify a name */
export function elidedMiddle(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const letters = [...text];
  const cut = (kept: number): string => {
    const front = Math.ceil(kept / 2);
    return `${letters.slice(0, front).join('')}${ELLIPSIS}${letters.slice(letters.length - (kept - front)).join('')}`;
  };
  return cut(longest(letters.length - 1, (kept) => measure(cut(kept)) <= room));
}

/** @returns the text, or as much of its end as fits */
export function elidedFront(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const letters = [...text];
  const cut = (kept: number): string => `${ELLIPSIS}${letters.slice(letters.length - kept).join('')}`;
  return cut(longest(letters.length - 1, (kept) => measure(cut(kept)) <= room));
}

/** @returns the largest fitting number from 2 to `most`; 2 if none fits */
function longest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [2, Math.max(2, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
