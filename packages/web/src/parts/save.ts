/** Downloads a file to the user's computer. */
import { download } from '../service/client.ts';
import { describeError } from '../service/queries.ts';
import { visibleText } from '../text/cleanText.ts';
import { isMasked, learnNames, maskedData } from '../text/masking.ts';
import { notify } from './notices.ts';

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Saves an archive that the service answers in base64. */
export const saveArchive = (name: string, archive: string): void =>
  saveFile(
    `${name}.zip`,
    new Blob([Uint8Array.from(atob(archive), (character) => character.charCodeAt(0))], {
      type: 'application/zip',
    }),
  );

/** Saves a file of the service as it is, and shows a fault. @param path from the address of the service */
export function saveStored(path: string, name: string): void {
  download(path, 'application/octet-stream')
    .then((content) => saveFile(name, content))
    .catch((error: unknown) => notify(describeError(error).text));
}

/** Saves text created by the page, in which names are already masked if necessary. */
export const saveText = (name: string, text: string, mediaType: string): void =>
  saveFile(name, new Blob([text], { type: mediaType }));

/** Saves data from the service, with names masked if they are masked. */
export const saveJson = (name: string, data: unknown): void =>
  saveText(name, `${JSON.stringify(isMasked() ? masked(data) : data, null, 2)}\n`, 'application/json');

function masked(data: unknown): unknown {
  learnNames(data, visibleText);
  return maskedData(data);
}
