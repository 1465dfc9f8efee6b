/**
 * Stores of certificates trusted for authentication. Rule:
 * `docs/reference/collections.md#certificate-services`.
 */
import { directoryType } from './directoryType.ts';
import { readPkiDomain } from './pkiDomain.ts';

export const ntAuthStores = directoryType({
  type: 'ntauthstores',
  kind: 'NTAuthStore',
  read: (store) => readPkiDomain(store, 'NTAuthStoreFor'),
});
