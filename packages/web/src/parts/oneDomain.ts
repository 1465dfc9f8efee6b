/** The domain that a card or page says once: names and texts inside it go without it. */
import { createContext, useContext } from 'react';
import { cleanText } from '../text/cleanText.ts';
import { withoutDomain } from '../text/oneDomain.ts';

export const OneDomain = createContext<string | undefined>(undefined);

/** @returns a function for texts of the service, as the card or page shows them */
export function useSaid(): (text: string) => string {
  const domain = useContext(OneDomain);
  return (text) => withoutDomain(cleanText(text), domain);
}
