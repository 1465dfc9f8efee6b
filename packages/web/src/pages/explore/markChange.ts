/** Changes of marks of objects: owned and Tier Zero. They take effect with the next analysis. */
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';

/** Fixed numbers of the groups in the older API. */
export const TIER_ZERO_GROUP = 1;
export const OWNED_GROUP = 2;

export interface MarkChange {
  readonly objectId: string;
  readonly group: typeof TIER_ZERO_GROUP | typeof OWNED_GROUP;
  readonly action: 'add' | 'remove';
  /** The change in words, and the name of the object, for the notice. */
  readonly words: string;
  readonly name: string;
}

export const useMarkChange = () =>
  useChange(
    async ({ objectId, group, action }: MarkChange) => {
      await call('UpdateAssetGroupSelectors', {
        params: { asset_group_id: group },
        body: [{ selector_name: objectId.slice(0, 200), sid: objectId, action }],
      });
    },
    {
      touched: [],
      onSuccess: (_, { words, name }) => notify(`${words}: ${name}. It takes effect with the next analysis.`),
      onError: (error) => notify(describeError(error).text),
    },
  );

export interface MarkedObject {
  readonly id: string;
  readonly name: string;
  readonly isOwned: boolean;
  readonly isTierZero: boolean;
}

/** @returns the changes of the marks of an object */
export const markChanges = ({ id, name, isOwned, isTierZero }: MarkedObject): readonly MarkChange[] => [
  {
    ...{ objectId: id, name, group: OWNED_GROUP, action: isOwned ? 'remove' : 'add' },
    words: isOwned ? 'No longer owned' : 'Mark as owned',
  },
  {
    ...{ objectId: id, name, group: TIER_ZERO_GROUP, action: isTierZero ? 'remove' : 'add' },
    words: isTierZero ? 'Remove from Tier Zero' : 'Add to Tier Zero',
  },
];
