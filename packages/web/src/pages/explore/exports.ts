/** Exports a drawing as files for other programs. */

import type { Drawing } from '../../graph/drawing.ts';
import type { Graph } from '../../graph/model.ts';
import { paint } from '../../graph/paintCanvas.ts';
import { svgOf } from '../../graph/paintSvg.ts';
import { currentTheme } from '../../graph/theme.ts';
import { saveFile, saveText } from '../../parts/save.ts';
import { csvText } from '../../text/csv.ts';

const MAX_PICTURE = 8000;

export type ExportFormat = 'svg' | 'png' | 'json' | 'csv';

/** @param nameOf how objects are called: masked where names are */
export async function exportGraph(
  format: ExportFormat,
  graph: Graph,
  drawing: Drawing,
  nameOf: (id: string) => string,
  idOf: (id: string) => string,
): Promise<void> {
  if (format === 'svg') saveText('clew-graph.svg', svgOf(drawing, currentTheme()), 'image/svg+xml');
  else if (format === 'png') saveFile('clew-graph.png', await pictureOf(drawing));
  else if (format === 'json')
    saveText(
      'clew-graph.json',
      `${JSON.stringify(plainGraph(graph, nameOf, idOf), null, 2)}\n`,
      'application/json',
    );
  else saveText('clew-graph.csv', relationsCsv(graph, nameOf, idOf), 'text/csv');
}

async function pictureOf(drawing: Drawing): Promise<Blob> {
  const { left, top, right, bottom } = drawing.box;
  const [wide, high] = [right - left, bottom - top];
  const ratio = Math.min(2, MAX_PICTURE / wide, MAX_PICTURE / high);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(wide * ratio);
  canvas.height = Math.ceil(high * ratio);
  const view = { x: (left + right) / 2, y: (top + bottom) / 2, scale: 1 };
  const size = { width: canvas.width, height: canvas.height, ratio };
  paint(canvas.getContext('2d')!, drawing, view, size, currentTheme(), { selected: new Set() });
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (picture === null) throw new Error('the browser could not make the picture');
  return picture;
}

/** In the format in which graphs are uploaded. */
const plainGraph = (graph: Graph, nameOf: (id: string) => string, idOf: (id: string) => string) => ({
  graph: {
    nodes: [...graph.nodes.values()].map(({ id, kind }) => ({
      id: idOf(id),
      kinds: [kind],
      properties: { name: nameOf(id) },
    })),
    edges: graph.edges.map(({ source, kind, target }) => ({
      kind,
      start: { match_by: 'id', value: idOf(source) },
      end: { match_by: 'id', value: idOf(target) },
    })),
  },
});

const relationsCsv = (graph: Graph, nameOf: (id: string) => string, idOf: (id: string) => string): string =>
  csvText(
    ['source', 'source_id', 'source_kind', 'relation', 'target', 'target_id', 'target_kind'],
    graph.edges.map(({ source, kind, target }) => [
      nameOf(source),
      idOf(source),
      graph.nodes.get(source)?.kind,
      kind,
      nameOf(target),
      idOf(target),
      graph.nodes.get(target)?.kind,
    ]),
  );
