/**
 * Orders derivations, so that each one runs after the derivations whose results it reads.
 *
 * Rule: `docs/extensions.md#derived-relationships`.
 */

/** A derived relationship kind. */
export interface OrderedDerivation {
  readonly kind: string;
  /** Types that its pattern reads; empty if it reads only nodes. */
  readonly types: Iterable<string>;
}

/** A kind that is a step of attack paths. */
export interface FamilyStep {
  readonly name: string;
  /** In upper case. */
  readonly family: string;
}

const FAMILY = /^(.+)_ATTACK_PATHS$/;

/** @returns the types, including types that a name like `OKTA_ATTACK_PATHS` represents, without built-in types */
export function typesRead(types: Iterable<string>, steps: readonly FamilyStep[]): Set<string> {
  const read = new Set<string>();
  for (const type of types) {
    read.add(type);
    const family = FAMILY.exec(type)?.[1];
    if (family === undefined) continue;
    for (const step of steps) if (family === 'ALL' || step.family === family) read.add(step.name);
  }
  return read;
}

/**
 * @returns the derivations in groups, where each group reads only results of earlier groups; or the kinds of a
 * cycle, where each kind reads the next
 */
export function derivationLevels<One extends OrderedDerivation>(
  derivations: readonly One[],
  steps: readonly FamilyStep[],
): { readonly levels: readonly (readonly One[])[] } | { readonly circle: readonly string[] } {
  const byKind = new Map(derivations.map((one) => [one.kind, one]));
  const reads = new Map(
    derivations.map((one) => [one.kind, [...typesRead(one.types, steps)].filter((type) => byKind.has(type))]),
  );
  const levels: One[][] = [];
  const done = new Set<string>();
  while (done.size < byKind.size) {
    const next = [...byKind.values()].filter(
      ({ kind }) => !done.has(kind) && (reads.get(kind) as string[]).every((type) => done.has(type)),
    );
    if (next.length === 0) return { circle: circleIn(reads, done) };
    levels.push(next);
    for (const { kind } of next) done.add(kind);
  }
  return { levels };
}

/** @param reads maps kinds to the kinds that they read; must contain a cycle */
function circleIn(reads: ReadonlyMap<string, readonly string[]>, done: ReadonlySet<string>): string[] {
  const way: string[] = [];
  let kind = [...reads.keys()].find((one) => !done.has(one)) as string;
  while (!way.includes(kind)) {
    way.push(kind);
    kind = (reads.get(kind) as string[]).find((type) => !done.has(type)) as string;
  }
  return way.slice(way.indexOf(kind));
}
