/** The graph as clients of graph databases know it: they ask for a database by name, and for the version of its product. */
export const SHOWN_DATABASE = {
  /** Name of the one graph: clients that name another get this one. */
  name: 'neo4j',
  /** The newest version of the product whose protocol is spoken: drivers read it. */
  version: '5.4.0',
} as const;
