/** Detection rules for steps of attack paths, as a download: what no one cuts can still be watched. */
import { MAX_PATH_STEPS, type WatchedStep, watchedText } from '@clew/model';
import { Radar } from 'lucide';
import { call } from '../service/client.ts';
import { isMasked } from '../text/masking.ts';
import { Icon } from './Icon.tsx';
import { notify } from './notices.ts';
import { saveArchive } from './save.ts';

export interface Watched {
  readonly steps: readonly WatchedStep[];
  /** Words for the paths of the steps. */
  readonly of: string;
}

interface RulesButtonProps {
  /** Called when the rules are requested. */
  readonly watched: () => Watched | Promise<Watched>;
  /** File name without extension. */
  readonly name: string;
}

export function RulesButton({ watched, name }: RulesButtonProps) {
  // Users who mask names and ids do not want to pass them on.
  if (isMasked()) return null;
  const keep = async (): Promise<void> => {
    const { steps, of } = await watched();
    if (steps.length === 0) {
      notify(`Nothing to watch: ${of}.`);
      return;
    }
    const { data } = await call('GetDetectionRules', { body: { steps: steps.slice(0, MAX_PATH_STEPS) } });
    saveArchive(name, data.archive);
    const rules = data.steps.reduce((sum, step) => sum + step.rules.length, 0);
    notify(watchedText(rules, steps.length, of));
  };
  return (
    <button
      type="button"
      onClick={() =>
        void keep().catch((error: unknown) => notify(`No detection rules: ${(error as Error).message}`))
      }
    >
      <Icon of={Radar} />
      Download detection rules
    </button>
  );
}
