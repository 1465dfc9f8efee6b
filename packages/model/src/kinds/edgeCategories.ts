/** Groups of edge kinds, in display order. */
export const EDGE_CATEGORIES = {
  structure: 'Structure',
  access: 'Access to computers',
  credentials: 'Credentials',
  control: 'Control of objects',
  certificates: 'AD CS',
  trusts: 'Trusts',
  relay: 'NTLM relay',
  synchronization: 'Between directory and cloud',
  cloudStructure: 'Cloud: structure',
  cloudControl: 'Cloud: control of identities',
  cloudGraph: 'Cloud: rights of applications',
  cloudResources: 'Cloud: control of resources',
  other: 'Other kinds',
} as const;

export type EdgeCategory = keyof typeof EDGE_CATEGORIES;
