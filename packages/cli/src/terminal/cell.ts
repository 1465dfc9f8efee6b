/** Formats cells of Cypher results as text. */

/** Objects by name, paths on one line. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  const { type, name, kind, nodes, relationships } = cell as Record<string, never>;
  if (type === 'node') return String(name);
  if (type === 'relationship') return String(kind);
  if (type !== 'path') return Array.isArray(cell) ? cell.map(cellText).join(', ') : JSON.stringify(cell);
  return (nodes as { name: string; id: number }[])
    .map(({ name: node, id }, at) => {
      if (at === 0) return node;
      const { kind: edge, target } = (relationships as { kind: string; target: number }[])[at - 1];
      return target === id ? ` -${edge}-> ${node}` : ` <-${edge}- ${node}`;
    })
    .join('');
}
