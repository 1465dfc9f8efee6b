/** Containers. Rule: shared reference `collections-ad.md` 4.6. */
import { directoryType, readChildObjects, readInheritanceHashes } from './directoryType.ts';

export const containers = directoryType({
  type: 'containers',
  kind: 'Container',
  read: (container) => {
    readChildObjects(container);
    readInheritanceHashes(container);
  },
});
