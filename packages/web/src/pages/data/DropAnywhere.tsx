/** Uploads collections that are dropped on any page, except on pages that expect other files. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { pathTo } from '../../address.ts';
import { useSelf } from '../../service/self.ts';
import { droppedFiles } from './droppedFiles.ts';
import { beginUpload } from './upload.ts';

/** These pages accept files themselves. */
const OTHERS = ['/extensions', '/checks'];

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

export default function DropAnywhere() {
  const [path, navigate] = useLocation();
  const [over, setOver] = useState(false);
  const mayUpload = useSelf()?.may('graphdb/IngestManage') ?? false;
  const isOff = !mayUpload || OTHERS.some((page) => path.startsWith(page));
  useEffect(() => {
    if (isOff) return undefined;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      // The drop area of the uploads page has already handled the files.
      if (event.defaultPrevented || event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then((files) => {
        if (files.length === 0) return;
        void beginUpload(files);
        navigate(pathTo('data', { view: 'uploads' }));
      });
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [isOff, navigate]);
  if (!over) return null;
  return (
    <div className="drop-anywhere" role="status">
      <p>Drop the files to upload them as collections</p>
    </div>
  );
}
