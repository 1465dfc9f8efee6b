/** Sections of a panel, in the form of answers about kinds. */

export interface Section {
  readonly title: string;
  readonly content: string;
}

/** Sections may be a list, or keyed by name; other forms are ignored. */
export function sectionsIn(info: unknown): readonly Section[] {
  if (typeof info !== 'object' || info === null) return [];
  const entries: readonly unknown[] = Array.isArray(info) ? info : Object.values(info);
  return entries
    .flatMap((entry) => {
      const { title, position, markdown } = (entry ?? {}) as Readonly<Record<string, unknown>>;
      const content = (markdown as { readonly content?: unknown } | undefined)?.content;
      return typeof title === 'string' && typeof content === 'string'
        ? [{ title, content, position: Number(position) || 0 }]
        : [];
    })
    .sort((a, b) => a.position - b.position);
}
