/** Visits a parsed query, or a piece of one, with all that it is made of. */

export interface Part {
  readonly [member: string]: unknown;
}

export function forEachPart(part: unknown, visit: (part: Part) => void): void {
  if (Array.isArray(part)) for (const item of part) forEachPart(item, visit);
  else if (typeof part === 'object' && part !== null) {
    visit(part as Part);
    for (const value of Object.values(part)) forEachPart(value, visit);
  }
}
