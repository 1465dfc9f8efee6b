/** The period of a page, as a number of days in its address; default: 30 days. */
import type { Address, Parameter } from '../address.ts';
import { Segments } from './Segments.tsx';

const PERIODS = [
  [undefined, '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

interface PeriodProps {
  readonly address: Address;
  /** Additional options before the standard ones. */
  readonly more?: readonly (readonly [string, string])[];
  /** Parameters that are set together with the period. */
  readonly also?: Readonly<Record<string, Parameter>>;
  /** Whether something other than a number of days is selected. */
  readonly isNone?: boolean;
}

export function Period({ address, more = [], also, isNone = false }: PeriodProps) {
  return (
    <Segments<string | undefined>
      label="Period"
      choices={[...more, ...PERIODS]}
      chosen={isNone ? '' : address.get('days')}
      onChoose={(days) => address.set({ ...also, days })}
    />
  );
}
