/** The box of an object in a drawing: its width fits the texts, within limits; the domain has a separate line. */
import { shortText } from '../text/cleanText.ts';
import { fontOf, measureIn } from '../text/measure.ts';
import { elidedFront, elidedMiddle, splitName } from '../text/names.ts';

export const BOX_HEIGHT = 52;
export const TILE_SIZE = 34;
/** Badges of a tile: half of their size, and the offset of their centers from the center of the tile. */
export const BADGE = { halfWidth: 9, halfHeight: 7, zoneX: 15, ownedX: -13, y: -16 } as const;
export const NAME_FONT = fontOf(650, 12);
export const SECOND_FONT = fontOf(400, 11);
export const LABEL_FONT = fontOf(550, 11.5);

const MIN_WIDTH = 120;
const MAX_WIDTH = 260;
/** Width of the tile and of the padding around it and the texts. */
const BESIDE_TEXT = 68;
/** A drawing never shows more letters, so measuring them is unnecessary. */
const MAX_LETTERS = 120;

export interface BoxTexts {
  readonly title: string;
  readonly second: string;
  readonly width: number;
}

/** @param name cleaned full name @param kind word for the kind, for names without a domain */
export function boxTexts(name: string, kindName: string, kind: string): BoxTexts {
  const split = splitName(shortText(name, MAX_LETTERS), kindName);
  const second = split.domain ?? kind;
  const room = MAX_WIDTH - BESIDE_TEXT;
  const title = elidedMiddle(split.name, room, measureIn(NAME_FONT));
  const secondShort = elidedFront(second, room, measureIn(SECOND_FONT));
  const text = Math.max(measureIn(NAME_FONT)(title), measureIn(SECOND_FONT)(secondShort));
  return {
    title,
    second: secondShort,
    width: Math.ceil(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, text + BESIDE_TEXT))),
  };
}

/** Width of a relationship's text, including padding. */
export const labelWidth = (label: string): number => Math.ceil(measureIn(LABEL_FONT)(label)) + 10;
export const LABEL_HEIGHT = 17;
