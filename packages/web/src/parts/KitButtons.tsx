/** The change kit of repairs: its scripts to copy, or all its files to download. The service runs none of them. */
import type { RepairReference } from '@clew/api';
import { Download, SquareTerminal } from 'lucide';
import { call } from '../service/client.ts';
import { noKitReason } from './changeKits.ts';
import { copyExactly } from './copy.ts';
import { Icon } from './Icon.tsx';
import { notify } from './notices.ts';
import { saveFile } from './save.ts';
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

export function KitButtons({ repairs, name, offersScript }: KitButtonsProps) {
  const { data: changes } = useKitChanges(repairs, offersScript && repairs.length === 1);
  if (noKitReason(repairs) !== undefined) return null;
  const script = changes?.[0]?.script ?? undefined;
  const keep = async (): Promise<void> => {
    const { data } = await call('GetChangeKit', { body: { repairs: [...repairs] } });
    const bytes = Uint8Array.from(atob(data.archive), (character) => character.charCodeAt(0));
    saveFile(`${name}.zip`, new Blob([bytes], { type: 'application/zip' }));
  };
  const tell = (error: unknown): void => notify(`No kit: ${(error as Error).message}`);
  return (
    <>
      {script !== undefined && (
        <button type="button" onClick={() => void copyExactly(script, COPIED).catch(tell)}>
          <Icon of={SquareTerminal} />
          Copy script
        </button>
      )}
      <button type="button" onClick={() => void keep().catch(tell)}>
        <Icon of={Download} />
        Download change kit
      </button>
    </>
  );
}
