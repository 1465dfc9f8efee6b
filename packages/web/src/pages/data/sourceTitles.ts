/** Titles of the sources of the graph; built-in collectors are named by their base kinds. */
const TITLES: Readonly<Record<string, string>> = {
  Base: 'Active Directory data',
  AZBase: 'Azure data',
  Sourceless: 'Data without a source',
};

export const sourceTitle = (name: string): string => TITLES[name] ?? `${name} data`;
