/** The face of a page whose data was never collected: what it would show, and the way to it. */
import type { ReactNode } from 'react';
import { Empty } from './Answer.tsx';
import { useUploadAction } from './uploadAction.ts';

interface NoDataProps {
  /** A sentence: what the page shows once there are data. */
  readonly children: string;
  readonly example: ReactNode;
}

export function NoData({ children, example }: NoDataProps) {
  const upload = useUploadAction();
  return (
    <Empty
      title="Nothing was collected yet"
      example={example}
      action={upload ?? { words: 'See how to collect', href: '/fix' }}
    >
      {children}
    </Empty>
  );
}
