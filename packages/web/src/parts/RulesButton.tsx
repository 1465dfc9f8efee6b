/** Detection rules for steps of attack paths, as a download: what no one cuts can still be watched. */
import type { DrawnPathRecord, PathRepairsRequest } from '@clew/api';
import { Radar } from 'lucide';
import { call } from '../service/client.ts';
import { isMasked } from '../text/masking.ts';
import { Icon } from './Icon.tsx';
import { notify } from './notices.ts';
import { saveFile } from './save.ts';

export type WatchedSteps = PathRepairsRequest['steps'];

/** Maximum number of steps in one request. */
const MAX_STEPS = 100;

/** @returns the steps of drawn paths, each once */
export function stepsOfPaths(paths: readonly Pick<DrawnPathRecord, 'nodes' | 'steps'>[]): WatchedSteps {
  const all = paths.flatMap(({ nodes, steps }) =>
    steps.map(({ kind }, at) => ({
      source_id: nodes[at]?.object_id ?? '',
      target_id: nodes[at + 1]?.object_id ?? '',
      kinds: [kind],
    })),
  );
  return [...new Map(all.map((step) => [JSON.stringify(step), step])).values()];
}

interface RulesButtonProps {
  /** Called when the rules are requested. */
  readonly stepsOf: () => WatchedSteps | Promise<WatchedSteps>;
  /** File name without extension. */
  readonly name: string;
}

export function RulesButton({ stepsOf, name }: RulesButtonProps) {
  // Users who mask names and ids do not want to pass them on.
  if (isMasked()) return null;
  const keep = async (): Promise<void> => {
    const steps = (await stepsOf()).slice(0, MAX_STEPS);
    if (steps.length === 0) {
      notify('No attack path remains, so there is nothing to watch.');
      return;
    }
    const { data } = await call('GetDetectionRules', { body: { steps } });
    const bytes = Uint8Array.from(atob(data.archive), (character) => character.charCodeAt(0));
    saveFile(`${name}.zip`, new Blob([bytes], { type: 'application/zip' }));
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
