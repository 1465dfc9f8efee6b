/**
 * The address contains the selected environment and zone, and every link passes them on: a link without them uses those of its
 * page.
 */
export const SCOPE = ['env', 'zone'] as const;

/** Marks a change of the page's own parameters that passes nothing on, so that removed parameters stay removed. */
export const EXACT = { exact: true } as const;

export function withScope(target: string, current: string): string {
  const [path, query = ''] = target.split('?', 2);
  const parameters = new URLSearchParams(query);
  const here = new URLSearchParams(current);
  for (const name of SCOPE) {
    const value = here.get(name);
    if (value !== null && !parameters.has(name)) parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

export const isExact = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'exact' in options;
