/** Severities of a small world as they are said. */

import { severitySentence } from '../../src/findings/severity.ts';
import { reasonOf } from '../../src/findings/severityRatings.ts';
import type { Found } from './worlds.ts';

/** @returns the sentence that explains the severity of each finding, keyed by the finding's text */
export function severityTexts({ texts, result }: Found): ReadonlyMap<string, string> {
  return new Map(texts.map((text, at) => [text, severitySentence(reasonOf(result.ratings, at))]));
}
