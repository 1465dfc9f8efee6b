/** Gives the person a file to keep. */
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

/** Text that the page made, of names and values that are masked already where names are. */
export const saveText = (name: string, text: string, mediaType: string): void =>
  saveFile(name, new Blob([text], { type: mediaType }));

/** Data as the service answered it; while names are masked, without them. */
export const saveJson = (name: string, data: unknown): void =>
  saveText(name, `${JSON.stringify(isMasked() ? masked(data) : data, null, 2)}\n`, 'application/json');

function masked(data: unknown): unknown {
  learnNames(data, visibleText);
  return maskedData(data);
}
