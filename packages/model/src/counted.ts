/** Numbers with their noun. */

const formatted = new Intl.NumberFormat('en-US');

/** `1,200`. */
export const numberText = (count: number): string => formatted.format(count);

/** `1 object`, `1,200 objects`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${numberText(count)} ${count === 1 ? noun : nouns}`;

/** `1 user or computer`, `1,200 users and computers`. */
export const principalsText = (count: number): string =>
  counted(count, 'user or computer', 'users and computers');

/** `1 change is`, `2 changes are`; `1 of 2 changes is` with the number of all. */
export const countedBe = (count: number, noun: string, all?: number): string =>
  `${all === undefined ? counted(count, noun) : `${numberText(count)} of ${counted(all, noun)}`} ${count === 1 || all === 1 ? 'is' : 'are'}`;
