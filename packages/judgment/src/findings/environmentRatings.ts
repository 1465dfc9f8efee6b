/** Exposure ratings for the list of environments, from the newest run. */

import type { EnvironmentRating, ReadRatings } from '@clew/explore';
import type { Db } from '@clew/store';
import { zoneRecords } from './http/zoneRecords.ts';
import { currentPosture } from './posture.ts';

export function storedRatings(db: Db): ReadRatings {
  return async () => {
    const [postures, zones] = await Promise.all([currentPosture(db), zoneRecords(db)]);
    const ratings = new Map<string, EnvironmentRating>();
    for (const [id, { impact_value, hygiene_attack_paths, exposures }] of postures) {
      ratings.set(id, {
        impactValue: impact_value,
        hygiene_attack_paths,
        exposures: exposures.flatMap(({ tag_id, exposure_percent }) => {
          const asset_group_tag = zones.get(tag_id);
          if (asset_group_tag === undefined) return [];
          return [{ exposure_percent: Math.round(exposure_percent), asset_group_tag }];
        }),
      });
    }
    return ratings;
  };
}
