/** Root certificate authorities. Rule: shared reference `collections-ad.md` 4.7. */
import { directoryType } from './directoryType.ts';
import { readPkiDomain } from './pkiDomain.ts';

export const rootCas = directoryType({
  type: 'rootcas',
  kind: 'RootCA',
  read: (ca) => readPkiDomain(ca, 'RootCAFor'),
});
