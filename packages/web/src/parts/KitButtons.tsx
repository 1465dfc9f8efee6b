/** The change kit of repairs: its scripts to copy, or all its files to download. The service runs none of them. */
import type { RepairReference } from '@clew/api';
import { Download, SquareTerminal } from 'lucide';
import { call } from '../service/client.ts';
import { useAnswer } from '../service/queries.ts';
import { isMasked } from '../text/masking.ts';
import { noKitReason } from './changeKits.ts';
import { copyExactly } from './copy.ts';
import { Icon } from './Icon.tsx';
import { notify } from './notices.ts';
import { saveArchive } from './save.ts';
import { useKitChanges } from './useKitChanges.ts';

const COPIED =
  'Copied. Save it as a .ps1 file: it only shows what it would change, until you run it with -Mode Apply';

interface KitButtonsProps {
  readonly repairs: readonly RepairReference[];
  /** File name without extension. */
  readonly name: string;
  /** False in lists, which do not read the kit of each row: whether a single change has a script is known only from its kit. */
  readonly offersScript: boolean;
}

interface FindingKitButtonsProps {
  readonly findingId: number;
}

/** The kit of a finding that no repair of the plan closes: a script where its remedy has one, else steps with the reason. */
export function FindingKitButtons({ findingId }: FindingKitButtonsProps) {
  const { data } = useAnswer(
    'GetFindingKit',
    { params: { finding_id: findingId } },
    { enabled: !isMasked() },
  );
  const kit = data?.data;
  const [change] = kit?.changes ?? [];
  if (kit === undefined || change === undefined) return null;
  const { script, why, steps } = change;
  return (
    <>
      {script === null && (
        <>
          <p className="quiet">There is no script: {why}</p>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
      <div className="actions">
        {script !== null && <CopyScript script={script} />}
        <button type="button" onClick={() => saveArchive('change-kit', kit.archive)}>
          <Icon of={Download} />
          Download change kit
        </button>
      </div>
    </>
  );
}

const tell = (error: unknown): void => notify(`No kit: ${(error as Error).message}`);

const CopyScript = ({ script }: { readonly script: string }) => (
  <button type="button" onClick={() => void copyExactly(script, COPIED).catch(tell)}>
    <Icon of={SquareTerminal} />
    Copy script
  </button>
);

export function KitButtons({ repairs, name, offersScript }: KitButtonsProps) {
  const { data: changes } = useKitChanges(repairs, offersScript && repairs.length === 1);
  if (noKitReason(repairs) !== undefined) return null;
  const script = changes?.[0]?.script ?? undefined;
  const keep = async (): Promise<void> => {
    const { data } = await call('GetChangeKit', { body: { repairs: [...repairs] } });
    saveArchive(name, data.archive);
  };
  return (
    <>
      {script !== undefined && <CopyScript script={script} />}
      <button type="button" onClick={() => void keep().catch(tell)}>
        <Icon of={Download} />
        Download change kit
      </button>
    </>
  );
}
