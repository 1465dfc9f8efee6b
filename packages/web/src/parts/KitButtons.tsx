/** The change kit of repairs: its scripts to copy, or all its files to download. The service runs none of them. */
import type { RepairReference } from '@clew/api';
import { Download, SquareTerminal } from 'lucide';
import { call } from '../service/client.ts';
import { noKitReason } from './changeKits.ts';
import { copyExactly } from './copy.ts';
import { Icon } from './Icon.tsx';
import { notify } from './notices.ts';
import { saveFile } from './save.ts';

interface KitButtonsProps {
  readonly repairs: readonly RepairReference[];
  /** File name without extension. */
  readonly name: string;
}

export function KitButtons({ repairs, name }: KitButtonsProps) {
  if (noKitReason(repairs) !== undefined) return null;
  const read = () => call('GetChangeKit', { body: { repairs: [...repairs] } });
  const copy = async (): Promise<void> => {
    const { data } = await read();
    const [only] = data.changes;
    if (only?.script == null) return notify(`There is no script: ${only?.why ?? 'the change is not known'}`);
    await copyExactly(
      only.script,
      'Copied. Save it as a .ps1 file: it only shows what it would change, until you run it with -Mode Apply',
    );
  };
  const keep = async (): Promise<void> => {
    const { data } = await read();
    const bytes = Uint8Array.from(atob(data.archive), (character) => character.charCodeAt(0));
    saveFile(`${name}.zip`, new Blob([bytes], { type: 'application/zip' }));
  };
  const tell = (error: unknown): void => notify(`No kit: ${(error as Error).message}`);
  return (
    <>
      {repairs.length === 1 && (
        <button type="button" onClick={() => void copy().catch(tell)}>
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
