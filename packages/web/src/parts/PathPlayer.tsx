/** Steps through an attack path: one relationship at a time, with its sentence. */
import { stepEffortWords } from '@clew/model';
import { Pause, Play, SkipBack, SkipForward, X } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { useKindTexts } from '../edges/useKindTexts.ts';
import { cleanText } from '../text/cleanText.ts';
import { Icon } from './Icon.tsx';
import type { PathObject, PathStep } from './PathStrip.tsx';

const STEP_MS = 1800;

export interface Player {
  readonly step: number | undefined;
  readonly isRunning: boolean;
  go(step: number | undefined): void;
  run(isRunning: boolean): void;
}

/** @param count number of steps */
export function usePlayer(count: number): Player {
  const [step, setStep] = useState<number>();
  const [isRunning, setRunning] = useState(false);
  useEffect(() => {
    if (!isRunning || step === undefined) return undefined;
    if (step >= count - 1) {
      setRunning(false);
      return undefined;
    }
    const timer = setTimeout(() => setStep(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isRunning, step, count]);
  return {
    step,
    isRunning,
    go: (to) => setStep(to === undefined ? undefined : Math.min(count - 1, Math.max(0, to))),
    run: setRunning,
  };
}

export function PlayButton({ player }: { readonly player: Player }) {
  return (
    <button
      type="button"
      aria-pressed={player.step !== undefined}
      onClick={() => {
        if (player.step === undefined) {
          player.go(0);
          // Users who prefer reduced motion step by hand.
          player.run(!matchMedia('(prefers-reduced-motion: reduce)').matches);
        } else {
          player.run(false);
          player.go(undefined);
        }
      }}
    >
      <Icon of={Play} />
      Play
    </button>
  );
}

export function PlayerBar({
  player,
  nodes,
  steps,
}: {
  readonly player: Player;
  readonly nodes: readonly PathObject[];
  readonly steps: readonly PathStep[];
}) {
  const textOf = useKindTexts(steps.map(({ kind }) => kind));
  const { step } = player;
  if (step === undefined) return null;
  const [from, to] = [nodes[step], nodes[step + 1]];
  const one = steps[step];
  if (from === undefined || to === undefined || one === undefined) return null;
  const button = (name: string, icon: typeof Play, go: () => void): ReactNode => (
    <button type="button" className="ghost" aria-label={name} title={name} onClick={go}>
      <Icon of={icon} />
    </button>
  );
  const hand = (to: number | undefined) => () => {
    player.run(false);
    player.go(to);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles keys for its buttons
    <div
      className="player"
      onKeyDown={(event) => {
        const to = event.key === 'ArrowRight' ? step + 1 : event.key === 'ArrowLeft' ? step - 1 : undefined;
        if (event.key === 'Escape') hand(undefined)();
        else if (to !== undefined) hand(to)();
      }}
    >
      {button('Previous step', SkipBack, hand(step - 1))}
      {button(player.isRunning ? 'Pause' : 'Go on', player.isRunning ? Pause : Play, () =>
        player.run(!player.isRunning),
      )}
      {button('Next step', SkipForward, hand(step + 1))}
      <p aria-live="polite">
        <span className="quiet">
          Step {step + 1} of {steps.length}
        </span>{' '}
        <strong>{cleanText(from.name)}</strong> {textOf(one.kind).phrase}{' '}
        <strong>{cleanText(to.name)}</strong>
        {one.effort !== undefined && <span className="quiet"> ({stepEffortWords(one.effort)})</span>}
      </p>
      {button('Close', X, hand(undefined))}
    </div>
  );
}
