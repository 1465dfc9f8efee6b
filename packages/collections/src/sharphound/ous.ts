/** Organizational units. Rule: `docs/reference/collections.md#units-and-containers`. */
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
