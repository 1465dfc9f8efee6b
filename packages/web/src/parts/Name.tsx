/**
 * Shows untrusted names as text: cleaned, with isolated text direction, shortened, without the domain stated by the surroundings,
 * and in full on demand.
 */
import { useContext } from 'react';
import { cleanText, shortText } from '../text/cleanText.ts';
import { withoutDomain } from '../text/oneDomain.ts';
import { OneDomain } from './oneDomain.ts';

export function Name({ text, id }: { readonly text: string | undefined; readonly id?: string }) {
  const shown = cleanText(text === undefined || text === '' ? (id ?? 'no name') : text);
  const short = shortText(withoutDomain(shown, useContext(OneDomain)), 160);
  return (
    <bdi className="name" title={shortText(shown, 1000)}>
      {short}
    </bdi>
  );
}
