/**
 * Steps for the folder of a policy in SYSVOL. Group Policy Management writes the lists of both the directory object and the folder; a change
 * of the directory object alone leaves the folder as it was.
 *
 * Sources: Microsoft, KB 828760 and KB 2838154 (inconsistent permissions of a policy in Active Directory and SYSVOL), icacls.
 */
import type { KitObject } from '@clew/planning';
import type { Scripted } from './change.ts';

/** @param sid of the principal that loses its rights @returns an empty object if the object is not a policy */
export const folderSteps = ({ kind }: KitObject, sid: string): Pick<Scripted, 'further'> =>
  kind !== 'GPO'
    ? {}
    : {
        further: [
          'The policy also has a list on its folder in SYSVOL, which the script reads and does not change (Preview shows its path, FOLDER below). Save it first: icacls FOLDER /save FILE /t',
          'After Apply, select the policy in Group Policy Management on the same domain controller. If the console reports that the permissions in SYSVOL are inconsistent with those in Active Directory, choose OK: this writes the list of the folder again.',
          `If entries or the owner are left, change them on the folder of the same controller: icacls FOLDER /remove:g *${sid} /t, and for the owner icacls FOLDER /setowner "Domain Admins" /t`,
          'Run Verify on the same controller: it reports the state as wanted only if the directory and the folder are. Look for settings and scripts in the folder that the principal changed before.',
          'Undo restores the directory only. Restore the list of the folder from the saved file: icacls PARENT /restore FILE, where PARENT is the folder above FOLDER.',
        ],
      };
