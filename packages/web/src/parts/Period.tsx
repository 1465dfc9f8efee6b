/** The period that a page looks back over, kept in its address as a number of days; 30 days are named by none. */
import type { Address } from '../address.ts';
import { Segments } from './Segments.tsx';

const PERIODS = [
  [undefined, '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

interface PeriodProps {
  readonly address: Address;
  /** Before those of all pages. */
  readonly more?: readonly (readonly [string, string])[];
}

export function Period({ address, more = [] }: PeriodProps) {
  return (
    <Segments<string | undefined>
      label="Period"
      choices={[...more, ...PERIODS]}
      chosen={address.get('days')}
      onChoose={(days) => address.set({ days })}
    />
  );
}
