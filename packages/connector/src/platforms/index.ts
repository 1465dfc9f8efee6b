/** Opens the host platform of a connector. */
import { googleSecOpsPlatform } from './googleSecOps.ts';
import { jsonlPlatform } from './jsonl.ts';
import type { HostPlatform } from './platform.ts';
import { sentinelPlatform } from './sentinel.ts';
import type { PlatformSettings } from './settings.ts';
import { splunkPlatform } from './splunkHec.ts';
import { syslogPlatform } from './syslog.ts';
import { theHivePlatform } from './theHive.ts';
import { webhookPlatform } from './webhook.ts';

/** @throws Error for settings that contradict themselves */
export function openPlatform(settings: PlatformSettings): HostPlatform {
  switch (settings.type) {
    case 'jsonl':
      return jsonlPlatform(settings);
    case 'webhook':
      return webhookPlatform(settings);
    case 'google-secops':
      return googleSecOpsPlatform(settings);
    case 'splunk-hec':
      return splunkPlatform(settings);
    case 'sentinel':
      return sentinelPlatform(settings);
    case 'syslog':
      return syslogPlatform(settings);
    case 'thehive':
      return theHivePlatform(settings);
  }
}
