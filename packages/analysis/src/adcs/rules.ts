/** The rules of certificate services. */
import type { Rule } from '../rule.ts';
import { enterpriseCaFor, issuedSignedBy, trustedForNtAuth } from './certificateChain.ts';
import { enrollOnBehalfOf } from './enrollOnBehalfOf.ts';
import { esc1 } from './esc1.ts';
import { esc3 } from './esc3.ts';
import { esc4 } from './esc4.ts';
import { esc6a, esc6b } from './esc6.ts';
import { esc13 } from './esc13.ts';
import { esc15, esc15Updated } from './esc15.ts';
import { esc16 } from './esc16.ts';
import { extendedByPolicy } from './extendedByPolicy.ts';
import { goldenCert } from './goldenCert.ts';
import { relayToAdcs } from './relayToAdcs.ts';
import { esc9a, esc9b, esc10a, esc10b } from './weakMapping.ts';

export const ADCS_RULES: readonly Rule[] = [
  trustedForNtAuth,
  issuedSignedBy,
  enterpriseCaFor,
  extendedByPolicy,
  enrollOnBehalfOf,
  goldenCert,
  esc1,
  esc3,
  esc4,
  esc6a,
  esc6b,
  esc9a,
  esc9b,
  esc10a,
  esc10b,
  esc13,
  esc15,
  esc15Updated,
  esc16,
  relayToAdcs,
];
