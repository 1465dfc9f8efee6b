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
    means: 'No action: the identity has it at sign-in, or inherits it',
  },
  {
    effort: 1,
    name: 'One action',
    means: 'One documented action, at any time, without other conditions',
  },
  {
    effort: 2,
    name: 'Several actions',
    means: 'Several actions or a special tool, without the help of others',
  },
  {
    effort: 4,
    name: 'Condition',
    means: 'Works only under a condition: a user is signed in, a host responds, a second person cooperates',
  },
  {
    effort: 8,
    name: 'Luck',
    means: 'May never work: a password to crack, an unknown weakness of the host, outdated evidence',
  },
] as const;

export type AttackEffort = (typeof EFFORT_CLASSES)[number]['effort'];

export interface StepEffort {
  readonly effort: AttackEffort;
  readonly reason: string;
}
