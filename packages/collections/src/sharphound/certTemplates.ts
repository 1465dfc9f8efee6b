/** Certificate templates. Rule: shared reference `collections-ad.md` 4.7. */
import { directoryType } from './directoryType.ts';

export const certTemplates = directoryType({ type: 'certtemplates', kind: 'CertTemplate' });
