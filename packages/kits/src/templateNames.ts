/**
 * The name in the certificates of a template that no longer lets requesters supply it. Without any of these flags, new certificates name
 * nobody, and logons with them fail (802.1X, VPN, smart cards).
 *
 * Source: MS-CRTD 2.4 (flags), 2.28 (msPKI-Certificate-Name-Flag); the flags of the default templates Smartcard Logon and Workstation
 * Authentication.
 */
import type { Maker } from './change.ts';
import { attribute, OWNER_OF_TEMPLATES } from './directoryChanges.ts';

/** The number in the form of the directory, which stores 32 bits with a sign. */
const signed = (bits: number): number => bits | 0;

const ENROLLEE_SUPPLIES_SUBJECT = 0x1;
/** SUBJECT_ALT_REQUIRE_DOMAIN_DNS to SUBJECT_REQUIRE_DIRECTORY_PATH: each takes a name from the directory. */
const NAMES_FROM_DIRECTORY = signed(0xffc00000);
/** SUBJECT_REQUIRE_DIRECTORY_PATH and SUBJECT_ALT_REQUIRE_UPN. */
const NAME_OF_USER = signed(0x82000000);
/** SUBJECT_ALT_REQUIRE_DNS. */
const NAME_OF_MACHINE = signed(0x08000000);

export const templateSubject: Maker = ({ object }) => ({
  ...attribute({
    ...{ object, attribute: 'msPKI-Certificate-Name-Flag', operation: 'BuildSubject' },
    ...{ number: ENROLLEE_SUPPLIES_SUBJECT, needs: OWNER_OF_TEMPLATES, undo: 'the changed bits' },
    further: { Names: NAMES_FROM_DIRECTORY, NameOfUser: NAME_OF_USER, NameOfMachine: NAME_OF_MACHINE },
  }),
  option: {
    name: 'Subject',
    text: "-Subject User or -Subject Machine: only used if the template takes no name from the directory. Then the script also sets the distinguished name and the UPN of the user (0x82000000), or the DNS name of the computer (0x08000000), because certificates without a name are useless. Without this parameter, the template's own type decides (bit 0x40 of its attribute flags: machine). Preview shows the flags.",
  },
});
