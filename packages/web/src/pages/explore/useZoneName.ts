/** Name of the zone of the address. */
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { TIER_ZERO } from '../fix/planFigures.ts';

export function useZoneName(zone: number): string {
  const { data } = useAnswer(
    'GetAssetGroupTags',
    { query: { type: 'eq:1' } },
    { enabled: zone !== TIER_ZERO },
  );
  const name = data?.data.tags.find(({ id }) => id === zone)?.name;
  return name === undefined ? 'Tier Zero' : cleanText(name);
}
