/** Shown on a page whose data was never collected: the purpose of the page, and how to provide the data. */
import type { ReactNode } from 'react';
import { Empty } from './Answer.tsx';
import { useUploadAction } from './uploadAction.ts';

interface NoDataProps {
  /** A sentence about the contents of the page once data exists. */
  readonly children: string;
  readonly example: ReactNode;
}

export function NoData({ children, example }: NoDataProps) {
  const upload = useUploadAction();
  return (
    <Empty
      title="No data collected yet"
      example={example}
      action={upload ?? { words: 'See how to collect', href: '/fix' }}
    >
      {children}
    </Empty>
  );
}
