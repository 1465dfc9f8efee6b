/** The proof of a change in a few words, in the progress and in the proof of a started plan. */
import type { ProofChange } from '@clew/api';

export const PROOF_WORDS: Readonly<Record<ProofChange['proof'], string>> = {
  proved: '✓ Proved',
  said: '… Marked as done, no proof yet',
  contradicted: '✗ Contradicted',
  'came-back': '↺ Exists again',
  'not-seen': '? Not seen again: no proof',
  open: '○ To do',
};
