/** A button to choose and upload collections; the key `u` presses it. */
import { FileButton } from '../../parts/FileButton.tsx';
import { beginUpload } from './upload.ts';

interface UploadButtonProps {
  readonly words: string;
  /** Called when files were chosen and their upload starts. */
  readonly onBegin?: () => void;
}

export function UploadButton({ words, onBegin }: UploadButtonProps) {
  return (
    <FileButton
      isMain
      isMultiple
      text={words}
      label="Collections"
      accept=".json,.zip,.gz"
      shortcut="u"
      onFiles={(files) => {
        void beginUpload(files);
        onBegin?.();
      }}
    />
  );
}
