/** Organizational units. Rule: shared reference `collections-ad.md` 4.6. */
import { directoryType, readChildObjects, readInheritanceHashes } from './directoryType.ts';
import { readPolicyChanges, readPolicyLinks } from './groupPolicy.ts';

export const ous = directoryType({
  type: 'ous',
  kind: 'OU',
  read: (ou) => {
    readChildObjects(ou);
    readPolicyLinks(ou);
    readPolicyChanges(ou);
    readInheritanceHashes(ou);
  },
});
