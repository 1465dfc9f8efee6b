/** The dialects by name. */
import { coded, type Dialect, type DialectName, spoken } from './dialect.ts';
import { ENGLISH, PLAIN } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { SPANISH } from './spanish.ts';

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  english: spoken(ENGLISH),
  plain: spoken(PLAIN),
  german: spoken(GERMAN),
  french: spoken(FRENCH),
  spanish: spoken(SPANISH),
  coded: coded(ENGLISH),
};

export const dialectOf = ({ dialect }: { readonly dialect: DialectName }): Dialect => DIALECTS[dialect];
