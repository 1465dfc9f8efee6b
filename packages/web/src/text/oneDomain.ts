/**
 * Names in a directory end with their domain. If all names of a card or page have the same domain, the domain is shown once, and
 * names omit it.
 */

/** The domain at the end of a name, as `@CORP.EXAMPLE`. */
const DOMAIN =
  /@([\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*)/gu;

/**
 * @param texts with names, as shown
 * @returns the common domain of all names; `undefined` without exactly one. Names below the domain, such as those of its
 * computers or child domains, stay complete and do not count
 */
export function domainOf(texts: readonly string[]): string | undefined {
  const all = new Set(texts.flatMap((text) => [...text.matchAll(DOMAIN)].map(([, domain = '']) => domain)));
  const [shortest] = [...all].sort((a, b) => a.length - b.length);
  if (shortest === undefined) return undefined;
  return [...all].every((one) => one === shortest || one.endsWith(`.${shortest}`)) ? shortest : undefined;
}

/** @returns the text, with the domain removed from its names */
export function withoutDomain(text: string, domain: string | undefined): string {
  if (domain === undefined) return text;
  return text.replace(DOMAIN, (whole, found: string, at: number) =>
    // A text that consists only of the domain stays.
    found === domain && at > 0 && /\S/.test(text.charAt(at - 1)) ? '' : whole,
  );
}
