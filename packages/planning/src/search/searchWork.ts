/** The work of a search, counted over all kernels that are made for it: for the explanation of a plan. */
export class SearchWork {
  kernels = 0;
  /** Steps of the largest kernel. */
  kernelSteps = 0;
  flows = 0;
  /** `whole`: the kernel of all packages is searched; `cuts`: cuts name the packages that are. */
  way: 'whole' | 'cuts' = 'whole';

  /** @param steps of the kernel */
  noteKernel(steps: number): void {
    this.kernels++;
    this.kernelSteps = Math.max(this.kernelSteps, steps);
  }
}
