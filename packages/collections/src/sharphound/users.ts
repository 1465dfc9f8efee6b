/** Users. Rule: `docs/reference/collections.md#users`. */
import {
  type EdgeFact,
  EdgeFlag,
  type EdgeKindName,
  edgeKindByName,
  type MatchedEdgeFact,
} from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';
import { edge } from './edges.ts';
import { domainOf, edgeToHost, hostName } from './hostNames.ts';
import { markManagedAccount } from './managedAccounts.ts';
import { Method } from './methods.ts';
import { readAccount } from './principalAspects.ts';

export const users = directoryType({
  type: 'users',
  kind: 'User',
  read: (user) => {
    markManagedAccount(user);
    readAccount(user);
    readSpnTargets(user);
  },
});

/** Services that run as the user, by service principal name. The service determines the edge kind, in practice `SQLAdmin`. */
function readSpnTargets(user: DirectoryObject): void {
  user.addAspect('spn-targets', user.enumerates('SPNTargets', Method.SpnTargets), () => {
    const edges: EdgeFact[] = [];
    const matchedEdges: MatchedEdgeFact[] = [];
    const flags = EdgeFlag.HasAcl | EdgeFlag.Acl;
    for (const target of user.children('SPNTargets')) {
      const computer = { id: target.reference('ComputerSID'), kind: 'Computer' };
      const kind = collectedKind(target.text('Service'));
      const port = target.number('Port') ?? 0;
      if (kind === undefined) user.problems.note('an unknown service was skipped in the SPN targets');
      if (kind === undefined || computer.id === '') continue;
      // Shown as an access entry by convention, although it is not one.
      const host = hostName(computer.id, domainOf(user));
      if (host === undefined) edges.push(edge(user.self, kind, computer, flags, { port }));
      else matchedEdges.push(edgeToHost(user.self, kind, host, flags, { port }));
    }
    return matchedEdges.length === 0 ? { edges } : { edges, matchedEdges };
  });
}

function collectedKind(service: string): EdgeKindName | undefined {
  const kind = edgeKindByName(service);
  return kind?.platform === 'ad' && kind.origin !== 'derived' ? (kind.name as EdgeKindName) : undefined;
}
