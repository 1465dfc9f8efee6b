/** Gives the person a file to keep. */
import { isMasked, maskedText } from '../text/masking.ts';

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Text that the page made; while names are masked, without them. */
export const saveText = (name: string, text: string, mediaType: string): void =>
  saveFile(
    name,
    new Blob([isMasked() ? text.split('\n').map(maskedText).join('\n') : text], { type: mediaType }),
  );
