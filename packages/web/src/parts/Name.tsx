/** Shows foreign names as text: cleaned, with isolated text direction, shortened, and complete on demand. */
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
