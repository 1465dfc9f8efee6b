/** The parts of a sentence around a name in it, so that the name can be a link. */

/** Characters next to a whole name; next to any other, it is a part of another name. */
const EDGE = /^[\s,:;"'()]?$/;

/** @returns the texts before and after the first whole occurrence of the name; `undefined` if the text does not name it */
export function aroundName(text: string, name: string): readonly [before: string, after: string] | undefined {
  if (name === '') return undefined;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (EDGE.test(text.charAt(at - 1)) && EDGE.test(text.charAt(end)))
      return [text.slice(0, at), text.slice(end)];
  }
  return undefined;
}
