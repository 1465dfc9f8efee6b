/**
 * The texts of kinds of relationships: the interface contains those of built-in kinds, and the service returns those of
 * extensions. Authors of extensions write the latter, so they are untrusted.
 */
import type { DescribedRelationshipKind } from '@clew/api';
import { ATTACK_EFFORTS } from '@clew/model';
import { cleanText, shortText } from '../text/cleanText.ts';
import { edgeText } from './edgeKinds.ts';

export interface KindText {
  /** Follows the name of the source: "can reset the password of". */
  readonly phrase: string;
  readonly meaning: string;
  readonly removal: string;
  /** Attack effort of a step; absent if attack paths do not use it. */
  readonly effort: number | undefined;
}

/** Names of extension kinds begin with a namespace and an underscore; so do those of zone kinds. */
export const isOfExtension = (kind: string): boolean => kind.includes('_') && !kind.startsWith('Tag_');

const MAX_PHRASE = 80;
const MAX_TEXT = 2000;
const efforts: ReadonlyMap<string, { readonly effort: number }> = ATTACK_EFFORTS;

export function builtInText(kind: string): KindText {
  const { phrase, meaning, removal } = edgeText(kind);
  return { phrase, meaning, removal, effort: efforts.get(kind)?.effort };
}

/** @returns the texts of an extension kind, to be shown as plain text; default texts replace missing ones */
export function textOfExtension(kind: DescribedRelationshipKind): KindText {
  const otherwise = builtInText(kind.name);
  const shown = (text: string, most: number) => shortText(cleanText(text), most);
  return {
    phrase: shown(kind.phrase, MAX_PHRASE) || otherwise.phrase,
    meaning: shown(kind.meaning, MAX_TEXT) || otherwise.meaning,
    removal: shown(kind.removal, MAX_TEXT) || otherwise.removal,
    effort: kind.effort ?? undefined,
  };
}
