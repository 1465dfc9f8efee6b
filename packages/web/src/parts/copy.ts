/** Copies texts to the clipboard, and shows a notice. */
import { cleanText } from '../text/cleanText.ts';
import { notify } from './notices.ts';

/** @param said the notice for success */
export async function copyExactly(text: string, said = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(said);
  } catch {
    notify('The browser did not allow copying');
  }
}

/** Copies a text of the directory as it is shown, with names masked if they are masked. */
export const copyText = (text: string): Promise<void> => copyExactly(cleanText(text));
