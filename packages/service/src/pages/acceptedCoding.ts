/** Which of the codings at hand a request takes (RFC 9110, 12.5.3). */

export type Coding = 'br' | 'gzip';

const CODINGS: readonly Coding[] = ['br', 'gzip'];

/** @returns the best one of those that are there, nothing when the file has to be sent as it is */
export function acceptedCoding(
  header: string | undefined,
  there: Readonly<Record<Coding, unknown>>,
): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    weights.set(name, q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1)));
  }
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  return CODINGS.find((coding) => there[coding] !== undefined && weightOf(coding) > 0);
}
