/** A definition of the size of the largest that are published, for tests and benchmarks. */

const PUBLISHED = { nodeKinds: 40, relationshipKinds: 148 };

const info = {
  overview: { title: 'Overview', position: 1, markdown: { content: '## What\n\nA *text* with `code`.\n' } },
  abuse: { title: 'Abuse', position: 2, markdown: { content: '1. [One](https://x.example)\n2. Two\n' } },
};

const kinds = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => ({ name: `GH_${prefix}${at}`, display_name: 'X', info }));

/** Kinds are `GH_N0`, `GH_R0` and so on. @param share of the kinds */
export function largeDefinition(share = 1) {
  return {
    schema: { name: 'github', display_name: 'GitHub', version: 'v1.0.0', namespace: 'GH' },
    node_kinds: kinds(PUBLISHED.nodeKinds * share, 'N'),
    relationship_kinds: kinds(PUBLISHED.relationshipKinds * share, 'R'),
  };
}
