/** Visits a parsed query, or a part of one, and all of its descendants. */

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
