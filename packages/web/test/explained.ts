/**
 * Explains every number in the text of a page by the answers of the service. The words around a number determine which values it may
 * have, so a small number is not explained by an equal number elsewhere.
 */
import type { Page } from 'playwright-core';

/** "1,204", "7.5", "98.9%" */
const NUMBER = /\d[\d,]*(?:\.\d+)?%?/g;

/** Times and ages depend on the clock. */
const TIMES =
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?:, \d{4})?(?:, \d{1,2}:\d{2}\s[AP]M)?|\b\d+ (?:days?|hours?|minutes?) ago\b/g;

/** @returns the numbers in a text, as written */
export const numbersIn = (text: string): readonly string[] =>
  (text.replace(TIMES, ' ').match(NUMBER) ?? []).map((one) => one.replace(/,$/, ''));

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

  texts(): readonly string[] {
    return textsOf(this.#answers);
  }
}

/** @returns all texts in values of the service that contain a digit, squashed, longest first; also without the domains of their names */
export function textsOf(values: unknown): readonly string[] {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') {
      if (!/\d/.test(value)) return;
      // A line without a number, such as "change" in a script, would only remove words around numbers.
      // A page shows the items of a numbered list without their numbers.
      for (const text of [value, value.replace(/@[\p{L}\p{N}.-]+/gu, '')])
        for (const line of text.split('\n'))
          for (const shown of [line, line.replace(/^\d+\. /, '')])
            if (/\d/.test(shown)) found.add(squashed(shown));
    } else if (value !== null && typeof value === 'object') for (const one of Object.values(value)) add(one);
  };
  add(values);
  return [...found].sort((one, other) => other.length - one.length);
}

/** Numbers, words and signs of numbers only, in lower case, so that a text equals its rendering. */
const squashed = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}%.,]+/gu, ' ')
    .replace(/[.,](?!\d)/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .toLowerCase();

/** @returns the parsed values, or the text itself */
function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The allowed numbers of a phrase such as "# of # users and computers", as values of the service, or as written. An "(s)" is optional. A
 * phrase that begins with "^" is a whole line, and each of its entries explains one line.
 */
export type Phrases = Readonly<Record<string, readonly (readonly (number | string)[])[]>>;

/** @returns how pages write a count */
const written = (value: number | string): string =>
  typeof value === 'string' ? value : value.toLocaleString('en-US');

interface Rule {
  readonly pattern: RegExp;
  readonly isLine: boolean;
  readonly allowed: string[];
}

function ruleOf([template, values]: readonly [string, Phrases[string]]): Rule {
  const isLine = template.startsWith('^');
  const words = squashed(template.replaceAll('#', '0').replaceAll('(s)', 'ssss'))
    .replaceAll('0', '(\\d[\\d,]*(?:\\.\\d+)?%?)')
    .replaceAll('ssss', 's?');
  return {
    pattern: isLine
      ? new RegExp(`^${words}$`, 'gu')
      : new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}%])`, 'gu'),
    isLine,
    allowed: values.map((one) => one.map(written).join(' ')),
  };
}

/**
 * Explains each number in the visible text of a part of a page: by a phrase with its values, or by a text of the service that contains
 * it. A number inside a name has to be in a text of the service, too.
 * @returns the other numbers, with their lines
 */
export function unexplained(text: string, phrases: Phrases, texts: readonly string[]): readonly string[] {
  // Longer phrases first, because they contain shorter ones.
  const rules = Object.entries(phrases)
    .sort(([one], [other]) => other.length - one.length)
    .map(ruleOf);
  const whole = texts.filter((text) => text.length >= MIN_TEXT && /\p{L}/u.test(text));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, at) => {
    let left = squashed(line.replace(TIMES, ' '));
    if (!/\d/.test(left) || (/\p{L}/u.test(left) && texts.includes(left))) return [];
    for (const text of whole) left = left.replaceAll(text, ' ; ');
    for (const { pattern, isLine, allowed } of rules)
      left = left.replace(pattern, (match, ...found) => {
        const place = allowed.indexOf(
          found
            .slice(
              0,
              found.findIndex((one) => typeof one === 'number'),
            )
            .join(' '),
        );
        if (place < 0) return match;
        if (isLine) allowed.splice(place, 1);
        return ' ; ';
      });
    return left
      .split(' ')
      .filter((word) => /\d/.test(word) && !isInName(word, texts))
      .map((word) => `${word}: ${lines.slice(Math.max(0, at - 1), at + 1).join(' / ')}`);
  });
}

/** A number that stands alone. */
const COUNT = /(?<![\p{L}\p{N}._,-])\d[\d,]*(?:\.\d+)?(?![\p{L}\p{N}_-])/gu;

/**
 * Raises each number of a text by one.
 * @returns how many numbers there are, and those whose change leaves every number explained
 */
export function unnoticed(text: string, phrases: Phrases, texts: readonly string[]) {
  const found = [...text.replace(TIMES, (time) => 'x'.repeat(time.length)).matchAll(COUNT)];
  const raised = found.map(({ 0: number, index }) => {
    const next = (Number(number.replaceAll(',', '')) + 1).toLocaleString('en-US');
    return text.slice(0, index) + next + text.slice(index + number.length);
  });
  return {
    count: found.length,
    missed: found.flatMap(({ 0: number, index }, at) =>
      unexplained(raised[at]!, phrases, texts).length > 0
        ? []
        : [`${number}: ${text.slice(Math.max(0, index - 40), index + 40)}`],
    ),
  };
}

/** Shorter texts, such as names, are compared word by word. */
const MIN_TEXT = 6;

/** The mark of Tier Zero. */
const MARK = 't0';

const isInName = (word: string, texts: readonly string[]): boolean =>
  word === MARK || (/\p{L}/u.test(word) && texts.some((text) => text.includes(word)));
