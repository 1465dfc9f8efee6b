/** The button of an empty part that an upload would fill. */
import { pathTo } from '../address.ts';
import { useMay } from '../service/self.ts';

/** @returns `undefined` for users who may not upload */
export function useUploadAction(): { readonly words: string; readonly href: string } | undefined {
  const mayUpload = useMay('graphdb/IngestManage');
  return mayUpload ? { words: 'Upload a collection', href: pathTo('data', { view: 'uploads' }) } : undefined;
}
