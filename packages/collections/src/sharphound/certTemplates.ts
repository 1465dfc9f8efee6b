/** Certificate templates. Rule: `docs/reference/collections.md#certificate-services`. */
import { directoryType } from './directoryType.ts';

export const certTemplates = directoryType({ type: 'certtemplates', kind: 'CertTemplate' });
