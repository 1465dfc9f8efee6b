/** The face of a page whose data was never collected: what it would show, and the way to it. */
import type { ReactNode } from 'react';
import { pathTo } from '../address.ts';
import { useSelf } from '../service/self.ts';
import { Empty } from './Answer.tsx';

interface NoDataProps {
  /** A sentence: what the page shows once there are data. */
  readonly children: string;
  readonly example: ReactNode;
}

export function NoData({ children, example }: NoDataProps) {
  const mayUpload = useSelf()?.may('graphdb/IngestManage') ?? false;
  return (
    <Empty
      title="Nothing was collected yet"
      example={example}
      action={
        mayUpload
          ? { words: 'Upload a collection', href: pathTo('data', { view: 'uploads' }) }
          : { words: 'See how to collect', href: '/fix' }
      }
    >
      {children}
    </Empty>
  );
}
