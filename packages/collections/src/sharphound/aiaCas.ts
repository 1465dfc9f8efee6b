/** Certificate authorities published for chain building. Rule: shared reference `collections-ad.md` 4.7. */
import { directoryType } from './directoryType.ts';

export const aiaCas = directoryType({ type: 'aiacas', kind: 'AIACA' });
