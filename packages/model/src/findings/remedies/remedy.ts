/** What a single finding type says instead of its family, where the remedy of the family does not fit. */
import type { FindingFamily } from '../family.ts';

export type Remedy = Partial<
  Pick<FindingFamily, 'risk' | 'fix' | 'steps' | 'verify' | 'care' | 'prevent' | 'references'>
>;

/** By the id of the finding type. */
export type Remedies = Readonly<Record<string, Remedy>>;
