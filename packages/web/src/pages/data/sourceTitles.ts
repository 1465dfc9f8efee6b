/** Titles of the sources of the graph: the service knows those of the built-in collectors by their base kinds. */
const TITLES: Readonly<Record<string, string>> = {
  Base: 'Active Directory data',
  AZBase: 'Azure data',
  Sourceless: 'Data without a source',
};

export const sourceTitle = (name: string): string => TITLES[name] ?? `${name} data`;
