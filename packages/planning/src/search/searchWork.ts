/** The work of a search, summed over all of its kernels, for the explanation of a plan. */
export class SearchWork {
  kernels = 0;
  /** Steps of the largest kernel. */
  kernelSteps = 0;
  flows = 0;
  /** `whole`: the search covers the kernel of all packages; `cuts`: it covers packages named by cuts. */
  way: 'whole' | 'cuts' = 'whole';

  /** @param steps number of steps of the kernel */
  noteKernel(steps: number): void {
    this.kernels++;
    this.kernelSteps = Math.max(this.kernelSteps, steps);
  }
}
