/** The common domain of a card or page, which is shown once and omitted from its names and texts. */
import { createContext, useContext } from 'react';
import { cleanText } from '../text/cleanText.ts';
import { withoutDomain } from '../text/oneDomain.ts';

export const OneDomain = createContext<string | undefined>(undefined);

/** @returns a function that converts texts of the service for the card or page */
export function useSaid(): (text: string) => string {
  const domain = useContext(OneDomain);
  return (text) => withoutDomain(cleanText(text), domain);
}
