/** Containers. Rule: `docs/reference/collections.md#units-and-containers`. */
import { directoryType, readChildObjects, readInheritanceHashes } from './directoryType.ts';

export const containers = directoryType({
  type: 'containers',
  kind: 'Container',
  read: (container) => {
    readChildObjects(container);
    readInheritanceHashes(container);
  },
});
