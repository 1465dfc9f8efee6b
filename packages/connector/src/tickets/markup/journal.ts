/** Plain text for ServiceNow, whose journals show HTML between `[code]` marks and notify users in `@[name]`: neither begins in quoted text. */
import { type Markup, PLAIN } from '../blocks.ts';

export const JOURNAL: Markup = {
  ...PLAIN,
  quoted: (text) => text.replaceAll(/\[(?=\s*\/?\s*code)/gi, '[ ').replaceAll('@[', '@ ['),
};
