/** Computers. Rule: `docs/reference/collections.md#computers`. */

import { readComputerSessions } from './computerSessions.ts';
import { readComputerSettings } from './computerSettings.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';
import { edge } from './edges.ts';
import { readLocalGroups, readUserRights } from './localGroups.ts';
import { Method } from './methods.ts';
import { readAccount } from './principalAspects.ts';

export const computers = directoryType({
  type: 'computers',
  kind: 'Computer',
  read: (computer) => {
    readAccount(computer);
    readServiceAccountPasswords(computer);
    readComputerSessions(computer);
    readLocalGroups(computer);
    readUserRights(computer);
    readComputerSettings(computer);
  },
});

/** Standalone managed service accounts whose password is stored on the computer. */
function readServiceAccountPasswords(computer: DirectoryObject): void {
  computer.addAspect('smsa-passwords', computer.enumerates('DumpSMSAPassword', Method.ObjectProps), () => ({
    edges: computer
      .principals('DumpSMSAPassword')
      .map((user) => edge(computer.self, 'DumpSMSAPassword', user)),
  }));
}
