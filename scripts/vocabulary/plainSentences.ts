import { PLAN_PHRASES, PLAN_WORDS } from './planWords.ts';
import { proseOf } from './prose.ts';

/** Beginnings of comments that leave a sentence without its subject. */
const WITHOUT_SUBJECT: readonly RegExp[] = [
  /^\s*(?:Of|By|As|From|What|Who|Whom|Whose)\b/g,
  /@(?:returns?|throws)\s+(?:what|who|whom|whose|of|by|as|from)\b/gi,
  /@param\s+\w+\s+(?:what|who|whom)\b/gi,
];

/** Words of comments and texts that are not plain, with those that this project writes in their place. */
const UNPLAIN: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [/\b(?:stands?|stood|standing)\s+in\s+for\b/gi, 'replaces'],
  [/\bbeside\b/gi, 'next to" or "in addition to'],
  [/\balike\b/gi, 'similar" or "in the same way'],
  // The reason phrase of status 410 is written in parentheses.
  [/(?<!\()\b[Gg]one\b/g, 'removed" or "missing'],
  [/\btold\b/gi, 'reported" or "gets'],
  [/\btells?\s+(?:of|apart)\b/gi, 'reports" or "distinguishes'],
  // "There is no path", "no longer" and "no more than" are plain.
  [
    /(?<!\bthere\s)\b(?:is|are|was|were)\s+no(?=\s+(?!longer|more|less|fewer|larger|older|one\b)[a-z])/gi,
    'is not a',
  ],
  [/\b(?:is|are|was|were)\s+none\s+of\s+the\b/gi, 'is not one of the'],
  [/\bthere\s+(?:is|are|was|were)\s+none\b/gi, 'is missing" or "not found'],
  [/\b(?:is|are|was|were)\s+to\s+be\s+had\b/gi, 'is available'],
  [/\bways?\s[^.:;]{0,40}\bcomes?\s+to\b/gi, 'paths reach'],
  [/\bwhat\s+(?:is|was)\s+(?:wrong|left|the\s+matter)\b/gi, 'its faults" or "the rest'],
  [/\bwhat\s+(?:became|becomes)\s+of\b/gi, 'the outcome of'],
];

export interface UnplainProse {
  /** Counted from 1. */
  readonly line: number;
  readonly found: string;
  readonly better: string;
}

/**
 * @param more further words that comments of the file do not use
 * @returns beginnings of comments without a subject, and words that are not plain, in TypeScript code
 */
export function unplainProseIn(
  source: string,
  more: readonly (readonly [unwanted: RegExp, plain: string])[] = [],
): readonly UnplainProse[] {
  return proseOf(source).flatMap(({ kind, line, text }) => {
    const matches = (unwanted: RegExp, better: string): UnplainProse[] =>
      [...text.matchAll(unwanted)].map(({ 0: found, index }) => ({
        line: line + text.slice(0, index).split('\n').length,
        found: found.trim().replace(/\s+/g, ' '),
        better,
      }));
    const headless = kind === 'comment' ? WITHOUT_SUBJECT : [];
    const unwantedWords = [
      ...UNPLAIN,
      ...PLAN_PHRASES,
      ...(kind === 'comment' ? [...PLAN_WORDS, ...more] : []),
    ];
    return [
      ...headless.flatMap((beginning) => matches(beginning, 'a sentence with a subject')),
      ...unwantedWords.flatMap(([unwanted, plain]) => matches(unwanted, plain)),
    ];
  });
}
