/**
 * Certificate authorities published for chain building. Rule:
 * `docs/reference/collections.md#certificate-services`.
 */
import { directoryType } from './directoryType.ts';

export const aiaCas = directoryType({ type: 'aiacas', kind: 'AIACA' });
