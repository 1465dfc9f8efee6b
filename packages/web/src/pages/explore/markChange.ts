/** Changes of the marks of objects: owned, and Tier Zero. They take effect with the next analysis. */
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';

/** Groups of the older form, by the numbers they always have. */
export const TIER_ZERO_GROUP = 1;
export const OWNED_GROUP = 2;

export interface MarkChange {
  readonly objectId: string;
  readonly group: typeof TIER_ZERO_GROUP | typeof OWNED_GROUP;
  readonly action: 'add' | 'remove';
}

export const MARK_EFFECT = 'It takes effect with the next analysis.';

export const useMarkChange = () =>
  useChange(async ({ objectId, group, action }: MarkChange) => {
    await call('UpdateAssetGroupSelectors', {
      params: { asset_group_id: group },
      body: [{ selector_name: objectId.slice(0, 200), sid: objectId, action }],
    });
  }, []);

/** @returns the changes of the marks of an object, in words */
export const markChanges = ({
  id,
  isOwned,
  isTierZero,
}: {
  readonly id: string;
  readonly isOwned: boolean;
  readonly isTierZero: boolean;
}): readonly (readonly [words: string, change: MarkChange])[] => [
  [
    isOwned ? 'No longer owned' : 'Mark as owned',
    { objectId: id, group: OWNED_GROUP, action: isOwned ? 'remove' : 'add' },
  ],
  [
    isTierZero ? 'Take out of Tier Zero' : 'Add to Tier Zero',
    { objectId: id, group: TIER_ZERO_GROUP, action: isTierZero ? 'remove' : 'add' },
  ],
];
