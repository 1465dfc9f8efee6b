/** Entry point of the `clew` command. */
import { runProcess } from './runProcess.ts';

await runProcess();
