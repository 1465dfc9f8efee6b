/** Stores of certificates trusted for authentication. Rule: shared reference `collections-ad.md` 4.7. */
import { directoryType } from './directoryType.ts';
import { readPkiDomain } from './pkiDomain.ts';

export const ntAuthStores = directoryType({
  type: 'ntauthstores',
  kind: 'NTAuthStore',
  read: (store) => readPkiDomain(store, 'NTAuthStoreFor'),
});
