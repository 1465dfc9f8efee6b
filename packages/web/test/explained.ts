/**
 * Explains every number in the text of a page by the service answers of the page. A number that is neither in an answer nor
 * derived from one is unexplained.
 */
import { costText, formatShare } from '@clew/model';
import type { Page } from 'playwright-core';

/** "1,204", "7.5", "98.9%" */
const NUMBER = /\d[\d,]*(?:\.\d+)?%?/g;

/** Times and ages depend on the clock. */
const TIMES =
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?:, \d{4})?(?:, \d{1,2}:\d{2}\s[AP]M)?|\b\d+ (?:days?|hours?|minutes?) ago\b/g;

/** @returns the numbers in a text, as written */
export const numbersIn = (text: string): readonly string[] =>
  (text.replace(TIMES, ' ').match(NUMBER) ?? []).map((one) => one.replace(/,$/, ''));

/** @returns the ways in which pages write a number: count, cost, and share */
export const written = (value: number): readonly string[] => [
  value.toLocaleString('en-US'),
  costText(value),
  ...(value >= 0 && value <= 1 ? [formatShare(value)] : []),
];

/** Collects the answers that a page receives from now on. */
export class Answers {
  #answers: unknown[] = [];

  static async of(page: Page): Promise<Answers> {
    const answers = new Answers();
    // Each answer is recorded before the page receives it, so no shown answer is missed.
    await page.route('**/api/v2/**', async (route) => {
      try {
        const response = await route.fetch();
        answers.#answers.push(contentOf(await response.text()));
        await route.fulfill({ response });
      } catch {
        // The page was left, or canceled the request.
      }
    });
    return answers;
  }

  forget(): void {
    this.#answers = [];
  }

  /** @returns the numbers of all answers in the forms of pages: values, sizes of lists, and numbers in texts */
  numbers(): Set<string> {
    const known = new Set<string>();
    const add = (value: unknown): void => {
      if (typeof value === 'number') for (const text of written(value)) known.add(text);
      else if (typeof value === 'string') for (const text of numbersIn(value)) known.add(text);
      else if (Array.isArray(value)) {
        known.add(String(value.length));
        for (const one of value) add(one);
      } else if (value !== null && typeof value === 'object')
        for (const one of Object.values(value)) add(one);
    };
    for (const answer of this.#answers) add(answer);
    return known;
  }
}

/** @returns the parsed values, or the text itself */
function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @returns unknown numbers in the visible text of the page, with the surrounding words */
export async function unexplained(page: Page, known: ReadonlySet<string>): Promise<readonly string[]> {
  const text = await page.locator('main').innerText();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, at) =>
    numbersIn(line)
      .filter((one) => !known.has(one))
      .map((one) => `${one}: ${lines.slice(Math.max(0, at - 1), at + 1).join(' / ')}`),
  );
}
