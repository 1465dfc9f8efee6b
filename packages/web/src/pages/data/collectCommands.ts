/** Commands that read a directory, with the address of this service filled in; names in capital letters are for the reader to fill in. */

const CONTROLLER = '--host DC1.EXAMPLE --user READER@EXAMPLE';

/** File of a token, as the page saves it. */
export const TOKEN_FILE = 'clew-collector.token';

/** @param address of the service. @returns the command of a first collection */
export const collectCommand = (address: string): string => `clew collect --url ${address} ${CONTROLLER}`;

/** @returns the command of a collector that runs as a service: only its user may read the token */
export const collectorCommand = (address: string): string =>
  `chmod 600 ${TOKEN_FILE} && clew collector run --url ${address} --token-file ${TOKEN_FILE} ${CONTROLLER}`;

/** @returns the text of a file with a token */
export const tokenFileText = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  `TOKEN_ID=${id}\nTOKEN_KEY=${key}\n`;

/** The address of the service that this page comes from: its pages are below `/ui`. */
export const serviceAddress = (page: string): string => {
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname.replace(/\/ui(?:\/.*)?$/, '').replace(/\/$/, '')}`;
};
