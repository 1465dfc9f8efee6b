/** Content codings that a request accepts (RFC 9110, 12.5.3). */

/** @returns the weight of each coding by its lower-case name; `*` matches all others */
export function codingWeights(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    weights.set(name, q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1)));
  }
  return weights;
}

/** @param names of one coding, the most common one first */
export function acceptsCoding(weights: ReadonlyMap<string, number>, ...names: readonly string[]): boolean {
  const named = names.map((name) => weights.get(name)).find((weight) => weight !== undefined);
  return (named ?? weights.get('*') ?? 0) > 0;
}
