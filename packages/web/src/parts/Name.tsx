/** Names of others as text: cleaned, in their own direction, shortened on the screen and whole on demand. */
import { cleanText, shortText } from '../text/cleanText.ts';

export function Name({ text, id }: { readonly text: string | undefined; readonly id?: string }) {
  const shown = cleanText(text === undefined || text === '' ? (id ?? 'no name') : text);
  const short = shortText(shown, 160);
  return (
    <bdi className="name" title={shortText(shown, 1000)}>
      {short}
    </bdi>
  );
}
