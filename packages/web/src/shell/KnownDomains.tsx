/**
 * Registers the domains needed to resolve ids in addresses before a page reads one, and removes their names from the address
 * while names are masked.
 */
import { type ReactNode, useEffect, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Waiting } from '../parts/Answer.tsx';
import { EXACT } from '../scope.ts';
import { useAnswer } from '../service/queries.ts';
import { useMay } from '../service/self.ts';
import { hasKeys, learnDomains, shownAddress } from '../text/addressKeys.ts';
import { useMasked } from '../text/masking.ts';

export function KnownDomains({ children }: { readonly children: ReactNode }) {
  const enabled = useMay('graphdb/Read');
  const query = useAnswer('GetAvailableDomains', {}, { enabled });
  const known = query.data?.data;
  useMemo(() => learnDomains(known ?? []), [known]);
  const isHidden = useMasked();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const address = search === '' ? path : `${path}?${search}`;
  useEffect(() => {
    if (isHidden && shownAddress(address) !== address) navigate(address, { replace: true, ...EXACT });
  }, [isHidden, address, navigate]);
  if (query.isLoading && hasKeys(search)) return <Waiting what="the page" />;
  return children;
}
