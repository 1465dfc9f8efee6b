/**
 * Classes of attack effort: the work that one step of an attack path requires of an attacker.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */

/** Each class has twice the weight of the previous one, so that the sum of a path shows its classes. */
export const EFFORT_CLASSES = [
  {
    effort: 0,
    name: 'Held',
    means: 'Nothing to do: the identity has it at sign-in, or the tree passes it on',
  },
  {
    effort: 1,
    name: 'One action',
    means: 'One documented action, at any time, which depends on nothing else',
  },
  {
    effort: 2,
    name: 'Several actions',
    means: 'Several actions or a special tool, and nothing from anyone else',
  },
  {
    effort: 4,
    name: 'Condition',
    means:
      'Works only while something is so: a user is signed in, a host answers, a second person takes part',
  },
  {
    effort: 8,
    name: 'Luck',
    means:
      'May never work: a password to crack, a weakness of the host that is not known, evidence out of date',
  },
] as const;

export type AttackEffort = (typeof EFFORT_CLASSES)[number]['effort'];

export interface StepEffort {
  readonly effort: AttackEffort;
  readonly reason: string;
}
