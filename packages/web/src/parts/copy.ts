/** Copies a text, and says so. */
import { cleanText } from '../text/cleanText.ts';
import { notify } from './notices.ts';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(cleanText(text));
    notify('Copied');
  } catch {
    notify('The browser did not allow to copy');
  }
}
