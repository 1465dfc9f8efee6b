/** Commands that read a directory, with the address of this service filled in; readers replace names in capital letters. */

const CONTROLLER = '--host DC1.EXAMPLE --user READER@EXAMPLE';

/** Name of the token file that the page saves. */
export const TOKEN_FILE = 'clew-collector.token';

/** @param address of the service @returns the command for a first collection */
export const collectCommand = (address: string): string => `clew collect --url ${address} ${CONTROLLER}`;

/** @returns the command for a collector that runs as a service: only its user may read the token */
export const collectorCommand = (address: string): string =>
  `chmod 600 ${TOKEN_FILE} && clew collector run --url ${address} --token-file ${TOKEN_FILE} ${CONTROLLER}`;

/** @returns the text of a token file */
export const tokenFileText = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  `TOKEN_ID=${id}\nTOKEN_KEY=${key}\n`;

/** The address of this page's service: its pages are below `/ui`. */
export const serviceAddress = (page: string): string => {
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname.replace(/\/ui(?:\/.*)?$/, '').replace(/\/$/, '')}`;
};
