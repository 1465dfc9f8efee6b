/** Root certificate authorities. Rule: `docs/reference/collections.md#certificate-services`. */
import { directoryType } from './directoryType.ts';
import { readPkiDomain } from './pkiDomain.ts';

export const rootCas = directoryType({
  type: 'rootcas',
  kind: 'RootCA',
  read: (ca) => readPkiDomain(ca, 'RootCAFor'),
});
