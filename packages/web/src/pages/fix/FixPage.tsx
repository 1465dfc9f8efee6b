/** Fix first: the shortest list of changes that reduces the exposure of the zone. */
import { Redirect, useSearch } from 'wouter';
import { useAddress } from '../../address.ts';
import { useAnswer } from '../../service/queries.ts';
import { isTime } from '../../text/formats.ts';
import { PlanView } from './PlanView.tsx';
import { Welcome } from './Welcome.tsx';

export default function FixPage() {
  const address = useAddress();
  const search = useSearch();
  const view = address.get('view');
  const environments = useAnswer('GetAvailableDomains');
  const status = useAnswer('GetDatapipeStatus');
  // In the first edition, the list of findings was at this address.
  if (view !== undefined && view !== 'plan') {
    const parameters = new URLSearchParams(search);
    if (view === 'findings') parameters.delete('view');
    return <Redirect to={`/findings?${parameters}`} replace />;
  }
  const isNew =
    environments.data?.data.length === 0 && !isTime(status.data?.data.last_complete_analysis_at ?? undefined);
  if (isNew) return <Welcome />;
  return <PlanView address={address} />;
}
