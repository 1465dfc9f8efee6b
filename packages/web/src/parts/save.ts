/** Downloads a file to the user's computer. */
import { visibleText } from '../text/cleanText.ts';
import { isMasked, learnNames, maskedData } from '../text/masking.ts';

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
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
