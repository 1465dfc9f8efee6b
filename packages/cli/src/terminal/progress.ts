/**
 * A progress bar on one line, redrawn at most ten times a second. If the screen is not interactive, it prints each step once on a separate
 * line.
 */
import type { Screen } from './screen.ts';
import { cutTo, printable, widthOf } from './text.ts';

const REDRAW_INTERVAL_MS = 100;
const BAR_WIDTH = 28;

export interface Step {
  /** The current work, in a few words. */
  readonly label: string;
  /** 0 to 1; absent if unknown. */
  readonly fraction?: number;
  /** Figures after the bar. */
  readonly detail?: string;
}

export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #label = '';
  #isDrawn = false;
  #beats = 0;

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
  }

  /** Shows the step. The rate is limited, except for a new label or a full bar. */
  show(step: Step): void {
    const isNew = step.label !== this.#label;
    this.#label = step.label;
    if (!this.#screen.isInteractive) {
      if (isNew) this.#screen.write(`${printable(step.label)}\n`);
      return;
    }
    const now = this.#now();
    if (!isNew && step.fraction !== 1 && now - this.#drawnAt < REDRAW_INTERVAL_MS) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    this.#screen.redraw(this.#line(step));
  }

  /** Removes the bar; further output starts on a clean line. */
  clear(): void {
    if (this.#isDrawn) this.#screen.redraw('');
    this.#isDrawn = false;
    this.#label = '';
  }

  #line({ label, fraction, detail = '' }: Step): string {
    const bar = this.#bar(fraction);
    const text = [printable(label), printable(detail)].filter((part) => part !== '').join('  ');
    // One column less than the screen: some terminals wrap after the last column.
    const room = this.#screen.width - 1 - widthOf(bar) - 2;
    return `${this.#screen.style('cyan', bar)}  ${cutTo(text, Math.max(0, room))}`;
  }

  #bar(fraction: number | undefined): string {
    const [full, empty] = this.#screen.hasUnicode ? ['█', '░'] : ['#', '.'];
    if (fraction === undefined) {
      // A moving block for an unknown duration.
      const at = this.#beats++ % (BAR_WIDTH - 3);
      return empty.repeat(at) + full.repeat(4) + empty.repeat(BAR_WIDTH - 4 - at);
    }
    const filled = Math.round(Math.max(0, Math.min(1, fraction)) * BAR_WIDTH);
    return full.repeat(filled) + empty.repeat(BAR_WIDTH - filled);
  }
}
