/** Exports a drawing as files for other programs. */

import type { Drawing } from '../../graph/drawing.ts';
import { type FrameTexts, frameOf } from '../../graph/frame.ts';
import type { Graph } from '../../graph/model.ts';
import { paint, paintFrame } from '../../graph/paintCanvas.ts';
import { svgOf } from '../../graph/paintSvg.ts';
import { currentTheme } from '../../graph/theme.ts';
import { saveFile, saveText } from '../../parts/save.ts';
import { csvText } from '../../text/csv.ts';

const MAX_PICTURE = 8000;

export type ExportFormat = 'svg' | 'png' | 'json' | 'csv';

/** A graph with everything that its files contain. */
export interface Exported {
  readonly graph: Graph;
  readonly drawing: Drawing;
  /** Names of objects, masked while names are masked. */
  readonly nameOf: (id: string) => string;
  readonly idOf: (id: string) => string;
  readonly texts: FrameTexts;
  /** Lines to cut. */
  readonly cut: ReadonlySet<string>;
}

export async function exportGraph(
  format: ExportFormat,
  { graph, drawing, nameOf, idOf, texts, cut }: Exported,
): Promise<void> {
  const name = (ending: string): string => fileName(texts.title, ending);
  if (format === 'svg') saveText(name('svg'), svgOf(drawing, currentTheme(), cut, texts), 'image/svg+xml');
  else if (format === 'png') saveFile(name('png'), await pictureOf(drawing, texts, cut));
  else if (format === 'json')
    saveText(
      name('json'),
      `${JSON.stringify(plainGraph(graph, nameOf, idOf), null, 2)}\n`,
      'application/json',
    );
  else saveText(name('csv'), relationsCsv(graph, nameOf, idOf), 'text/csv');
}

const MAX_NAME = 60;

/** @returns "clew-domain-users-to-domain-admins.svg": letters and digits of the title */
export function fileName(title: string, ending: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-+|-+$/g, '');
  return `clew-${words === '' ? 'graph' : words}.${ending}`;
}

async function pictureOf(drawing: Drawing, texts: FrameTexts, cut: ReadonlySet<string>): Promise<Blob> {
  const { left, top } = drawing.box;
  const theme = currentTheme();
  const frame = frameOf(drawing, texts, theme, cut.size > 0);
  const ratio = Math.min(2, MAX_PICTURE / frame.width, MAX_PICTURE / frame.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(frame.width * ratio);
  canvas.height = Math.ceil(frame.height * ratio);
  const context = canvas.getContext('2d')!;
  // The drawing is painted on the whole canvas, at its position in the frame.
  const view = {
    x: left + frame.width / 2 - frame.left,
    y: top + frame.height / 2 - frame.top,
    scale: 1,
  };
  const size = { width: canvas.width, height: canvas.height, ratio };
  paint(context, drawing, view, size, theme, { selected: new Set(), cut });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintFrame(context, frame);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (picture === null) throw new Error('the browser could not make the picture');
  return picture;
}

/** The graph in the upload format. */
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
