/** Converts a table cell to text: objects by name, paths as one line. */

interface Part {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly kind?: unknown;
  readonly objectid?: unknown;
  readonly source?: unknown;
  readonly nodes?: readonly Part[];
  readonly relationships?: readonly Part[];
}

export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(cellText).join(', ');
  if (typeof cell !== 'object') return String(cell);
  const { type, name, kind, nodes = [], relationships = [] } = cell as Part;
  if (type === 'node') return String(name);
  if (type === 'relationship') return String(kind);
  if (type !== 'path') return JSON.stringify(cell);
  return nodes
    .map((node, at) => {
      if (at === 0) return String(node.name);
      const { kind: edge, source } = relationships[at - 1] ?? {};
      return source === node.objectid ? ` <-${edge}- ${node.name}` : ` -${edge}-> ${node.name}`;
    })
    .join('');
}
