/** The texts and symbols around an exported drawing: title, date, legend and address. Canvas and SVG paint the same parts. */
import { fontOf, measureIn } from '../text/measure.ts';
import { elidedMiddle } from '../text/names.ts';
import type { Drawing } from './drawing.ts';
import { SHAPES } from './kinds.ts';
import { type Theme, tinted } from './theme.ts';

export interface FrameTexts {
  readonly title: string;
  /** The age of the data, and the date of the file. */
  readonly date: string;
  /** Absent while names are masked, because an address contains ids. */
  readonly address: string | undefined;
}

export type FramePart =
  | {
      readonly sort: 'text';
      readonly x: number;
      /** Baseline of the text. */
      readonly y: number;
      readonly size: number;
      readonly weight: number;
      readonly color: string;
      readonly words: string;
    }
  | {
      readonly sort: 'line';
      readonly x: number;
      readonly y: number;
      readonly length: number;
      readonly color: string;
      readonly dashes: string;
    }
  | {
      readonly sort: 'shape';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      /** SVG path in a square from -1 to 1. */
      readonly path: string;
      readonly fill: string;
      readonly stroke: string;
    };

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Position of the drawing in the frame. */
  readonly left: number;
  readonly top: number;
  readonly parts: readonly FramePart[];
}

const MIN_WIDTH = 640;
const PADDING = 20;
const HEAD = 64;
const ROW = 24;
const SIGN = 26;
/** The legend summarizes further kinds in one entry. */
const MAX_KINDS = 8;

/** @param isCut whether the drawing contains a cut */
export function frameOf(drawing: Drawing, texts: FrameTexts, theme: Theme, isCut: boolean): Frame {
  const inner = {
    width: drawing.box.right - drawing.box.left,
    height: drawing.box.bottom - drawing.box.top,
  };
  const width = Math.max(MIN_WIDTH, inner.width);
  const room = width - 2 * PADDING;
  const text = (
    x: number,
    y: number,
    size: number,
    weight: number,
    color: string,
    words: string,
  ): FramePart => ({
    ...{ sort: 'text', x, y, size, weight, color },
    words: elidedMiddle(words, room, measureIn(fontOf(weight, size))),
  });
  const parts: FramePart[] = [
    text(PADDING, 28, 16, 650, theme.ink, texts.title),
    text(PADDING, 48, 12, 400, theme.quiet, texts.date),
  ];
  let [x, y] = [PADDING, HEAD + inner.height + ROW];
  for (const { words, sign } of signsOf(drawing, theme, isCut)) {
    const wide = SIGN + measureIn(fontOf(400, 12))(words) + PADDING;
    if (x > PADDING && x + wide > width) [x, y] = [PADDING, y + ROW];
    parts.push(sign(x, y), text(x + SIGN, y + 4, 12, 400, theme.ink, words));
    x += wide;
  }
  if (texts.address !== undefined) {
    y += ROW;
    parts.push(text(PADDING, y + 4, 11, 400, theme.quiet, texts.address));
  }
  return { width, height: y + PADDING, left: (width - inner.width) / 2, top: HEAD, parts };
}

interface Sign {
  readonly words: string;
  readonly sign: (x: number, y: number) => FramePart;
}

function signsOf({ nodes, edges }: Drawing, theme: Theme, isCut: boolean): Sign[] {
  const line = (words: string, color: string, dashes: string): Sign => ({
    words,
    sign: (x, y) => ({ sort: 'line', x, y, length: SIGN - 6, color, dashes }),
  });
  const shape = (words: string, path: string, color: string): Sign => ({
    words,
    sign: (x, y) => ({
      ...{ sort: 'shape', x: x + 8, y, radius: 8, path },
      fill: tinted(color, theme.card),
      stroke: color,
    }),
  });
  const kinds = [...new Set(nodes.map(({ kind }) => kind))];
  const looks = kinds.slice(0, MAX_KINDS).map((kind) => {
    const node = nodes.find((one) => one.kind === kind)!;
    return shape(kind, SHAPES[node.shape], theme.classes[node.color]);
  });
  return [
    ...looks,
    ...(kinds.length > MAX_KINDS ? [shape('other kinds', SHAPES.square, theme.classes.other)] : []),
    ...(edges.some(({ isAttack }) => isAttack) ? [line('attack path', theme.path, '')] : []),
    ...(edges.some(({ isAttack }) => !isAttack) ? [line('relationship', theme.line, '')] : []),
    ...(isCut ? [line('recommended cut', theme.cut, '4 4')] : []),
    ...(nodes.some(({ isTierZero }) => isTierZero)
      ? [shape('T0: Tier Zero', SHAPES.square, theme.zone)]
      : []),
    ...(nodes.some(({ isOwned }) => isOwned) ? [shape('O: owned', SHAPES.square, theme.ink)] : []),
  ];
}
