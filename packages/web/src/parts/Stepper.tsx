/** Steps through a few items, one at a time: "2 of 5 paths". */
import { ChevronLeft, ChevronRight } from 'lucide';
import { Icon } from './Icon.tsx';

interface StepperProps {
  /** Number of the step, from 0. */
  readonly at: number;
  readonly count: number;
  readonly onStep: (at: number) => void;
  /** Labels of the two buttons. */
  readonly previous: string;
  readonly next: string;
  /** Shown after the count. */
  readonly words?: string;
}

export function Stepper({ at, count, onStep, previous, next, words = '' }: StepperProps) {
  if (count < 2) return null;
  return (
    <span className="stepper">
      <button
        type="button"
        className="plain"
        aria-label={previous}
        disabled={at === 0}
        onClick={() => onStep(at - 1)}
      >
        <Icon of={ChevronLeft} />
      </button>
      {at + 1} of {count}
      {words}
      <button
        type="button"
        className="plain"
        aria-label={next}
        disabled={at === count - 1}
        onClick={() => onStep(at + 1)}
      >
        <Icon of={ChevronRight} />
      </button>
    </span>
  );
}
