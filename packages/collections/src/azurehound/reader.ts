/** The reader of AzureHound files, whose items have individual kinds. Rules: `docs/reference/azurehound.md#values`. */
import type { CollectionReader } from '../reader.ts';
import { convertAzureItem } from './convertItem.ts';

export const azure: CollectionReader = {
  type: 'azure',
  format: 'azurehound',
  begin: () => (item, place) => convertAzureItem(item, place.index, place.offset),
};
