/** The period of a page, as a number of days in its address; 30 days without one. */
import type { Address, Parameter } from '../address.ts';
import { Segments } from './Segments.tsx';

const PERIODS = [
  [undefined, '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

interface PeriodProps {
  readonly address: Address;
  /** Runs before the keys of all pages. */
  readonly more?: readonly (readonly [string, string])[];
  /** Parameters that a choice sets with it. */
  readonly also?: Readonly<Record<string, Parameter>>;
  /** Something else than a number of days is chosen. */
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
