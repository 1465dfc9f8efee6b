/** The reader of AzureHound files: one item at a time, each with its kind. Rules: `docs/reference/azurehound.md#values`. */
import type { CollectionReader } from '../reader.ts';
import { convertAzureItem } from './convertItem.ts';

export const azure: CollectionReader = {
  type: 'azure',
  format: 'azurehound',
  begin: () => (item, place) => convertAzureItem(item, place.index, place.offset),
};
