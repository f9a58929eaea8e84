/** A small program, one or more ways to break it, and cases; what the right one answers is what its tests expect. */
export interface PlantedProgram {
  readonly name: string;
  readonly right: string;
  /** Texts to replace: each makes a buggy version of its own. */
  readonly bugs: readonly (readonly [string, string])[];
  /** Arguments that its tests use. */
  readonly shown: readonly (readonly unknown[])[];
  /** Arguments that only the judge uses. */
  readonly hidden: readonly (readonly unknown[])[];
}
