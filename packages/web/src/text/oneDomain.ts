/**
 * Names of a directory end with their domain. Where all names of a card or page are of one domain, it is said once, and
 * names go without it.
 */

/** The domain at the end of a name, as `@CORP.EXAMPLE`. */
const DOMAIN =
  /@([\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*)/gu;

/**
 * @param texts with names, as they are shown
 * @returns the one domain of all names; `undefined` where no name has a domain, or they have several. What is below
 *   the domain, such as a computer of it or a child domain, keeps its whole name, and does not count
 */
export function domainOf(texts: readonly string[]): string | undefined {
  const all = new Set(texts.flatMap((text) => [...text.matchAll(DOMAIN)].map(([, domain = '']) => domain)));
  const [shortest] = [...all].sort((a, b) => a.length - b.length);
  if (shortest === undefined) return undefined;
  return [...all].every((one) => one === shortest || one.endsWith(`.${shortest}`)) ? shortest : undefined;
}

/** @returns the text, with the names of the domain without it */
export function withoutDomain(text: string, domain: string | undefined): string {
  if (domain === undefined) return text;
  return text.replace(DOMAIN, (whole, found: string, at: number) =>
    // A text that is nothing but the domain stays.
    found === domain && at > 0 && /\S/.test(text.charAt(at - 1)) ? '' : whole,
  );
}
